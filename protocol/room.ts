/**
 * The four rooms. A statement is permanent and holds no free text, so its
 * room is one of these and nothing else.
 */
export const ROOMS = ['lobby', 'findings', 'questions', 'workshop'] as const;
export type Room = (typeof ROOMS)[number];

export function isRoom(text: string | undefined): text is Room {
  return ROOMS.some((room) => room === text);
}
