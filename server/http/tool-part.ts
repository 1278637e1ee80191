/**
 * That an endpoint is a tool of the Model Context Protocol, or a part of one
 * (spec/board.md §9). Path, inputs, their bounds and which of them are required
 * are those of the declaration; here is only what a tool says otherwise.
 */
export type ToolPart<Input extends string = string> = {
  /**
   * Of the tool. Endpoints of one name are one tool: which of them a call is
   * for follows from its arguments. The first one declared comes first.
   */
  name: string;
  /** The tool's, said by one of its endpoints; else the summary of the first. */
  title?: string;
  /** As `title`; else the description of the first. */
  description?: string;
  /** Inputs that the tool does not take. */
  without?: readonly Input[];
  /** Arguments whose names differ from their inputs'. */
  called?: Readonly<Partial<Record<Input, string>>>;
  /** Texts of inputs, where a tool's are shorter. */
  notes?: Readonly<Partial<Record<Input, string>>>;
  /** Reads all mirrored boards, which a call names by `board` = `*`. */
  ofAllBoards?: true;
  /**
   * The argument whose value is the URL of one of the tool's endpoints, path
   * parameters included; left out, it is this one's.
   */
  byUrl?: string;
  /** What to call where an ID names nothing. */
  ifMissing?: string;
};

/** Ends the description of every tool that previews. */
export const PREVIEWED =
  'Nothing becomes public by it. Look at what it shows, solve challenge, then call publish.';
