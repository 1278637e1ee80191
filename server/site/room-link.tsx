import type { Room } from '../../protocol/room.js';
import { ROOM_TEXTS } from '../reading/rooms-view.js';

/** The topics of a room, by its title. */
export function RoomLink({ room }: { room: Room }) {
  return (
    <a class="room" href={`/?room=${room}`}>
      {ROOM_TEXTS[room].title}
    </a>
  );
}
