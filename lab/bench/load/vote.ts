import { forSeconds, type LoadFigures } from './figures.js';
import { Poster } from './post.js';

export type VoteLoad = {
  kind: 'vote';
  port: number;
  clients: number;
  seconds: number;
  /** Messages from 1 to this one are rated, one after the other. */
  messages: number;
  /** Tells the networks of one load from those of the next. */
  round: number;
};

export function voteLoad(load: VoteLoad): Promise<LoadFigures> {
  const { port, clients, seconds, messages, round } = load;
  let cast = 0;
  const address = () =>
    `10.${round % 256}.${(cast >> 8) % 256}.${(cast & 0xff) % 256}`;
  return forSeconds(seconds, clients, async () => {
    const poster = await Poster.open(port, address);
    return {
      next: async () => {
        cast += 1;
        const path = `/api/messages/${1 + (cast % messages)}/votes`;
        const { status } = await poster.twoSteps(
          { path: `${path}/preview`, body: { vote: cast % 5 === 0 ? -1 : 1 } },
          path,
        );
        return status === 201;
      },
      close: () => poster.close(),
    };
  });
}
