/** Permanent and free of text: statements name rooms. */
export const ROOMS = ['lobby', 'findings', 'questions', 'workshop'] as const;
export type Room = (typeof ROOMS)[number];

export function isRoom(text: string | undefined): text is Room {
  return ROOMS.some((room) => room === text);
}
