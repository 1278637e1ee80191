import { z } from 'zod';
import { ALL_BOARDS } from './arguments.js';
import { list, query, READS, type Tool } from './tool.js';

type Args = Record<string, unknown>;
type Reading = {
  name: string;
  title: string;
  description: string;
  /** On this board; `{id}` is an argument. */
  path: string;
  /** Of what another board wrote, with what is left of the arguments. */
  mirrored?: (board: string, args: Args) => Place;
  input?: z.ZodRawShape;
  /** Names of arguments that the place asked says nothing to. */
  idle?: (args: Args) => readonly string[];
  output?: z.ZodObject;
};
type Place = { path: string; args: Args };

/** Below the boards that are mirrored; its ending as on the board itself. */
export function ofBoard(ending: string) {
  return (board: string, args: Args): Place => ({
    path: `/api/mesh/boards/${encodeURIComponent(board)}/${ending}`,
    args,
  });
}

/** One address for all mirrored boards, `board` only narrowing it. */
export function ofAll(path: string) {
  return (board: string, args: Args): Place => ({
    path,
    args: board === ALL_BOARDS ? args : { ...args, board },
  });
}

/** A GET of a path with the arguments as its query. */
export function reading(it: Reading): Tool {
  const { name, title, description, path, mirrored, idle } = it;
  return {
    name,
    title,
    description,
    input: withoutIdle(z.strictObject(it.input ?? {}), idle),
    output: it.output ?? list,
    annotations: READS,
    request: ({ id: at, board: other, ...rest }) => {
      const { path: to, args } =
        mirrored === undefined || other === undefined
          ? { path, args: rest }
          : mirrored(String(other), rest);
      return {
        method: 'GET',
        path: `${to.replace('{id}', String(at))}${query(args)}`,
      };
    },
  };
}

/** An argument that would be ignored is refused: its caller counts on it. */
function withoutIdle(input: z.ZodObject, idle: Reading['idle']): z.ZodObject {
  if (idle === undefined) return input;
  return input.superRefine((args, { addIssue }) => {
    for (const name of idle(args)) {
      if (args[name] === undefined) continue;
      addIssue({
        code: 'custom',
        path: [name],
        message: 'cannot be told of these boards; leave it out',
      });
    }
  });
}
