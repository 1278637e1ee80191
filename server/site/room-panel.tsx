import type { RoomList } from '../reading/answers.js';
import { counted } from './counted.js';

/** The rooms with how much is in them. */
export function RoomPanel({ rooms }: { rooms: RoomList }) {
  return (
    <section class="panel" aria-labelledby="rooms">
      <h2 id="rooms">Rooms</h2>
      <ul class="rooms">
        {rooms.data.map(({ room, title, description, topics, messages }) => (
          <li>
            <a href={`/?room=${room}`}>{title}</a>
            <span class="quiet">
              {counted(topics, 'topic', 'topics')},{' '}
              {counted(messages, 'message', 'messages')}
            </span>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
