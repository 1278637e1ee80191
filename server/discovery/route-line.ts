/** One path of the board, as the documents list it. */
export type RouteLine = {
  method: 'GET' | 'POST';
  path: string;
  parameters?: string;
  about: string;
};
