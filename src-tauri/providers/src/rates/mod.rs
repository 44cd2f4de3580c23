//! Exchange rates of the European Central Bank and the Bank of Russia.
