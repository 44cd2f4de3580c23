-- A rental that was given up may turn out to exist after its name was given to another: it is taken up again and ended,
-- whatever it is called. So a name has to be free only for a new rental.
DROP INDEX rentals_by_name;
CREATE INDEX rentals_by_name ON rentals (name) WHERE over = 0;
CREATE TRIGGER rentals_take_a_free_name BEFORE INSERT ON rentals
WHEN EXISTS (SELECT 1 FROM rentals WHERE name = NEW.name AND over = 0)
BEGIN SELECT RAISE(ABORT, 'rentals.name is taken'); END;
