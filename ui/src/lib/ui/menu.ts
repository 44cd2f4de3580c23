/** One line of a menu. */
export interface MenuItem {
  label: string;
  /** Key or remark at the right. */
  hint?: string;
  /** Marked as the one in force. */
  checked?: boolean;
  /** Why it cannot be done now; shown in place of the hint. */
  disabled?: string | undefined;
  run: () => void;
}

/** A group of lines with an optional heading. */
export interface MenuGroup {
  heading?: string;
  items: MenuItem[];
}
