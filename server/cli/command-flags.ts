import { Argument, type Command, Option } from 'commander';
import { z } from 'zod';
import { CommandFailure } from './failure.js';

/** As JSON Schema describes it. */
type Field = {
  type?: string;
  enum?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  const?: unknown;
  items?: Field;
  anyOf?: Field[];
  nullable?: boolean;
  isRequired?: boolean;
};

export type Options = Readonly<Record<string, unknown>>;
type ReadInput = (
  args: readonly unknown[],
  options: Options,
) => Record<string, unknown>;

/**
 * `positional` fields become arguments, others flags: enums with choices,
 * booleans without a value (`--no-…` where only false is taken), arrays with
 * several; objects are JSON.
 * @param names flags with other names than their field
 */
export function addFields(
  command: Command,
  input: z.ZodType,
  positional: readonly string[] = [],
  names: Readonly<Record<string, string | undefined>> = {},
): ReadInput {
  const fields = fieldsOf(input);
  for (const name of positional) {
    const field = fields[name] ?? {};
    const word = field.type === 'array' ? `${name}...` : name;
    const place = field.isRequired ? `<${word}>` : `[${word}]`;
    const argument = new Argument(place, helpOf(field));
    if (field.enum !== undefined) argument.choices(field.enum);
    command.addArgument(argument);
  }
  const flags = new Map<string, Option>();
  for (const [name, field] of Object.entries(fields)) {
    if (positional.includes(name)) continue;
    const flag = `--${field.const === false ? 'no-' : ''}${names[name] ?? name.replaceAll('_', '-')}`;
    const word = field.enum === undefined ? wordOf(field) : name;
    const value = field.type === 'boolean' ? '' : ` <${word}>`;
    const option = new Option(`${flag}${value}`, helpOf(field));
    if (field.enum !== undefined) option.choices(field.enum);
    command.addOption(option);
    flags.set(name, option);
  }
  return (args, options) => {
    const given = Object.entries(fields).map(([name, field]) => {
      const option = flags.get(name);
      const value = option
        ? givenTo(option, options)
        : args[positional.indexOf(name)];
      return [name, inputOf(option?.long ?? name, field, value)];
    });
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  };
}

/** Without `--no-…` commander says true. */
function givenTo(option: Option, options: Options): unknown {
  const value = options[option.attributeName()];
  return option.negate && value === true ? undefined : value;
}

/** Null is a word of its own where allowed. */
function fieldsOf(input: z.ZodType): Record<string, Field> {
  const { properties = {}, required = [] } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(properties as Record<string, Field>).map(
      ([name, { anyOf, ...field }]) => {
        const nullable = anyOf?.some(({ type }) => type === 'null') ?? false;
        const more = { nullable, isRequired: required.includes(name) };
        return [name, { ...anyOf?.[0], ...field, ...more }];
      },
    ),
  );
}

/** As help says everything: a phrase, no sentence. */
export const inHelp = (text: string): string =>
  text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');

function helpOf({ description = '', default: value }: Field): string {
  const isShown = value !== undefined && value !== '' && value !== false;
  const text = inHelp(description);
  return isShown ? `${text} (default: ${value})`.trim() : text;
}

function wordOf({ type, items = {} }: Field): string {
  if (type === 'array') return `${wordOf(items)}...`;
  if (type === 'integer') return 'n';
  return type === 'string' ? 'text' : 'json';
}

function inputOf(name: string, field: Field, given: unknown): unknown {
  const { items = {}, minimum = 0 } = field;
  if (Array.isArray(given)) {
    return given.map((value) => inputOf(name, items, value));
  }
  if (typeof given !== 'string' || field.type === 'string') return given;
  if (field.nullable && /^(?:null|default)$/.test(given)) return null;
  if (field.type !== 'integer') return parsedJson(given, name);
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(given) && Number(given) >= minimum) {
    return Number(given);
  }
  const kind = minimum > 0 ? 'a positive integer' : 'an integer';
  throw new CommandFailure(`${name} must be ${kind}.`, {
    error: 'invalid_input',
  });
}

/** @throws CommandFailure where a text is no JSON */
export function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      `${name} must be JSON, such as '{"subject": "message:12"}'.`,
    );
  }
}
