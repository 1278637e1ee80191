/** What differs from the endpoint's declaration (spec/board.md §9). */
export type ToolPart<Input extends string = string> = {
  /** Endpoints of one name are one tool; the arguments select. */
  name: string;
  /** Set once per tool; else the first one's description. */
  description?: string;
  /** Excluded inputs. */
  without?: readonly Input[];
  /** Arguments named differently. */
  called?: Readonly<Partial<Record<Input, string>>>;
  /** Shorter texts for inputs. */
  notes?: Readonly<Partial<Record<Input, string>>>;
  /** Reads all mirrored boards, by `board` = `*`. */
  ofAllBoards?: true;
  /** Has the URL of one of the tool's endpoints, by default this one. */
  byUrl?: string;
  /** Advice where an ID names nothing. */
  ifMissing?: string;
};

/** Ends descriptions of previews. */
export const PREVIEWED =
  'Check what it shows, solve challenge, then call publish.';
