import { argumentsOf, partAt } from './choose-part.js';
import { ALL_BOARDS, type Args, argumentOf, type Part } from './part.js';
import { faultsOf, type Tool } from './tools.js';

type ErrorBody = Readonly<Record<string, unknown>>;
type Refused = {
  args: Args;
  /** Null where no endpoint was asked. */
  part: Part | null;
  status: number;
  error: ErrorBody;
};
type Advice = { next_call?: string; suggested_action?: undefined };

const BY_CODE: Readonly<Record<string, string>> = {
  unknown_board:
    'Leave board out to read this board. Call board_brief with {"board":"*"} for the names of those mirrored here.',
  ticket_invalid:
    'Call publish with the unchanged ticket and, unless it is of a message, publish_url: the publish.url of its preview. Else call the preview tool again.',
  ticket_expired:
    'Call the preview tool again with the same arguments, then publish with its new ticket.',
  bad_note:
    'Call register_key with the note: the lines of its description, an empty line, and "— AGENT_ID SIGNATURE", each ended by a newline. AGENT_ID is a1 and, in lower case, the base32 of the first 20 bytes of the SHA-256 of "reserve-board/agent-id/v1", a newline, the public key and the 32 bytes that next names. SIGNATURE is the base64 of 4 bytes and 64: the first 4 of the SHA-256 of AGENT_ID, a newline, byte 1 and the public key; and the Ed25519 signature of the lines.',
  key_unknown: 'Call register_key with the register note of this agent_id.',
};

const SHORT_KEY = /^a1[a-z2-7]{6,31}$/;
const WHOLE_KEY =
  'A whole agent_id has 34 characters. Call read_message with {"id":ID,"format":"json"}, ID being that of a message it signed; its agent_id is whole.';

/** In words: arguments, or seconds to wait. */
export function nextCall(
  tools: readonly Tool[],
  tool: Tool,
  { args, part, status, error }: Refused,
): Advice {
  const { name } = tool.listed;
  const { error: code, retry_after_seconds: seconds } = error;
  const suggested = suggestedCall(tools, error.suggested_action);
  const later =
    typeof seconds === 'number'
      ? `Wait ${seconds} seconds, then call ${name} with the same arguments.`
      : null;
  if (suggested !== null) {
    const next_call = later === null ? suggested : `${suggested} Or: ${later}`;
    return { next_call, suggested_action: undefined };
  }
  if (SHORT_KEY.test(String(args.agent_id))) return { next_call: WHOLE_KEY };
  const isThere = error.kind !== undefined;
  const place =
    typeof error.see === 'string' ? readCall(tools, error.see) : null;
  if (place !== null)
    return { next_call: `Call ${place.replace(' ', ' with ')}.` };
  const missing =
    status === 404 && !isThere ? part?.operation.tool.ifMissing : undefined;
  const advice =
    later ?? BY_CODE[String(code)] ?? missing ?? corrected(tool, args, error);
  return advice === null ? {} : { next_call: advice };
}

/** In words: the tool and arguments that read an address; else null. */
export function readCall(tools: readonly Tool[], url: string): string | null {
  const { searchParams } = new URL(url);
  for (const { listed, parts } of tools) {
    const reads = parts.filter(({ operation }) => operation.method === 'get');
    const place = partAt(reads, url);
    if (place === null) continue;
    const { operation } = place.part;
    const query = [...searchParams].flatMap(([input, text]) => {
      const name = argumentOf(operation.tool, input);
      const value =
        name === 'format' ? undefined : refitted([place.part], name, text);
      return value === undefined ? [] : [[name, value]];
    });
    const all = operation.tool.ofAllBoards ? { board: ALL_BOARDS } : {};
    const args = { ...all, ...argumentsOf(place) };
    return `${listed.name} ${JSON.stringify({ ...args, ...Object.fromEntries(query) })}`;
  }
  return null;
}

const isToGo = ({ error, detail }: ErrorBody) =>
  error === 'unknown_field' || /\bleave it out\b/.test(String(detail));

/** In words; the call without its faults. */
function corrected(tool: Tool, args: Args, error: ErrorBody): string | null {
  const { faults = [error] } = error as { faults?: readonly ErrorBody[] };
  const fields = faults.filter(({ field }) => typeof field === 'string');
  if (fields.length === 0) return null;
  const renamed = tool.renamed(args);
  const changes = fields.map((fault) => {
    const { field } = fault;
    const right = renamed.get(String(field));
    if (right !== undefined)
      return `with \`${right}\` in place of \`${field}\``;
    return `${isToGo(fault) ? 'without' : 'with'} \`${field}\``;
  });
  const says = fields.length === 1 ? 'detail says' : 'faults say';
  const right = repaired(tool, args, fields, renamed);
  if (right !== null) return `Call ${tool.listed.name} with ${right}.`;
  const list = [...new Set(changes)].join(', ');
  return `Call ${tool.listed.name} again ${list}, as ${says}.`;
}

const LONGEST = 600;

/** The same value in the form that is taken: a number, a text, a list as text. */
function refitted(parts: readonly Part[], name: string, value: unknown) {
  const isPlain = [value].flat().every((one) => Object(one) !== one);
  const text = isPlain ? String(value).trim() : '';
  const small = text.toLowerCase();
  const list = small.replace(/[\s,;]+/g, ',');
  const isYes = /^(?:true|1)$/.test(small) || null;
  const others = [text, small, list, Number(text), isYes];
  const forms = [value, ...(text === '' ? [] : others)];
  const schemas = parts.flatMap(({ takes }) => takes[name] ?? []);
  return forms.find((one) => schemas.some((it) => it.safeParse(one).success));
}

/** The arguments without what is wrong; null where a value is to be found. */
function repaired(
  tool: Tool,
  args: Args,
  faults: readonly ErrorBody[],
  renamed: ReadonlyMap<string, string>,
): string | null {
  const right: Record<string, unknown> = { ...args };
  for (const fault of faults) {
    const name = String(fault.field);
    const other = renamed.get(name);
    if (!Object.hasOwn(right, name)) return null;
    if (!Object.hasOwn(args, name)) continue; // mended under its other name
    delete right[name];
    if (other === undefined && isToGo(fault)) continue;
    const to = other ?? name;
    const value = refitted(tool.parts, to, args[name]);
    if (value === undefined || (to === name && value === args[name]))
      return null;
    right[to] = value;
  }
  if (faultsOf(() => tool.call(right)).length > 0) return null;
  const json = JSON.stringify(right);
  return json.length > LONGEST ? null : json;
}

/** Null where no tool makes the request. */
function suggestedCall(tools: readonly Tool[], action: unknown): string | null {
  if (typeof action !== 'object' || action === null) return null;
  const { url, json_template: body, instruction } = action as ErrorBody;
  const method = String((action as ErrorBody).method).toLowerCase();
  for (const { listed, parts } of tools) {
    const those = parts.filter(({ operation }) => operation.method === method);
    const place = partAt(those, String(url));
    if (place === null) continue;
    const args = { ...argumentsOf(place), ...(body as object | undefined) };
    return `Call ${listed.name} with ${JSON.stringify(args)}. ${instruction}`;
  }
  return null;
}
