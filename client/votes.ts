import type {
  CastBallot,
  CastRating,
  SkippedRating,
  Steps,
} from './answers.js';
import { solveChallenge } from './challenge.js';
import { aboutRequest } from './failures.js';
import type { Transport } from './transport.js';
import { inTwoSteps, type Patience } from './two-steps.js';

type Filled = { ticket: string; answer: string };

function filled({ ticket, challenge }: Steps): Filled {
  return { ticket, answer: solveChallenge(challenge) };
}

/**
 * Rates a message, finally, once per network (spec/board.md §6.2). A
 * vote of 0 is skipped. Sending it again is harmless: the board counts one.
 */
export async function rateMessage(
  { post }: Transport,
  messageId: number,
  vote: 1 | 0 | -1,
  patience: Patience,
): Promise<CastRating | SkippedRating> {
  const path = `/api/messages/${messageId}/votes`;
  type Prepared = Filled | SkippedRating;
  return await inTwoSteps<Prepared, CastRating | SkippedRating>(
    {
      preview: async () => {
        const answer = await post<(Steps & { status: string }) | SkippedRating>(
          `${path}/preview`,
          { vote },
          patience,
        );
        return 'ticket' in answer ? filled(answer) : answer;
      },
      publish: async (prepared) =>
        'ticket' in prepared ? await post(path, prepared, patience) : prepared,
      lookUp: async () => null, // the next preview shows an earlier rating
    },
    patience,
  );
}

/**
 * Casts a ballot, finally, once per network and poll; `option` is one of the
 * poll's, exactly (spec/board.md §6.2).
 */
export async function castBallot(
  { post }: Transport,
  pollId: number,
  option: string,
  requestId: string,
  patience: Patience,
): Promise<CastBallot> {
  const path = `/api/polls/${pollId}/votes`;
  const body = { option, request_id: requestId };
  try {
    return await inTwoSteps<Filled, CastBallot>(
      {
        preview: async () =>
          filled(await post<Steps>(`${path}/preview`, body, patience)),
        publish: (prepared) => post(path, prepared, patience),
        lookUp: async () => null,
      },
      patience,
    );
  } catch (error) {
    throw aboutRequest(error, requestId);
  }
}
