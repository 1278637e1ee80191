import type { ComponentChild } from 'preact';
import { Facts, Line } from '../../site/index.js';
import { nameOf, type Schema } from './described.js';

/** Paragraphs and code only. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n\n+/).map((paragraph) => (
        <p>
          <Line text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** Scrollable by keyboard. */
export function Sample({ value, name }: { value: unknown; name: string }) {
  const text =
    typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <details>
      <summary>{name}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </details>
  );
}

export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** Named schemas are links. */
export function Type({ schema }: { schema: Schema }) {
  const { $ref, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return <a href={`#${schemaAnchor(name)}`}>{name}</a>;
  }
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) {
    return <Either parts={choices.map((one) => <Type schema={one} />)} />;
  }
  if (items !== undefined) {
    return (
      <>
        array of <Type schema={items} />
      </>
    );
  }
  if (schema.const !== undefined) return <Literals values={[schema.const]} />;
  if (schema.enum !== undefined) return <Literals values={schema.enum} />;
  return <>{[plainType(schema), ...bounds(schema)].join(', ')}</>;
}

function Either({ parts }: { parts: readonly ComponentChild[] }) {
  return <>{parts.flatMap((part, at) => (at === 0 ? part : [' or ', part]))}</>;
}

/** Longer lists show only their length. */
const SHOWN = 24;

function Literals({ values }: { values: readonly unknown[] }) {
  if (values.length > SHOWN) return <>one of {values.length} names</>;
  const parts = values.map((value) => <code>{JSON.stringify(value)}</code>);
  return <Either parts={parts} />;
}

function plainType({ type, format }: Schema): string {
  const types = [type ?? 'any value'].flat().join(' or ');
  return format === undefined ? types : `${types} (${format})`;
}

function bounds(schema: Schema): string[] {
  const found: string[] = [];
  const { minimum, maximum, minLength, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) {
    found.push(`${minimum} to ${maximum}`);
  } else if (minimum !== undefined) found.push(`at least ${minimum}`);
  if (maxLength !== undefined) {
    found.push(
      minLength === undefined
        ? `at most ${maxLength} code points`
        : `${minLength} to ${maxLength} code points`,
    );
  }
  return found;
}

/** Inner objects are nested. */
export function Members({ schema }: { schema: Schema }) {
  const { properties, required = [] } = schema;
  if (properties === undefined) {
    return (
      <p>
        <Type schema={schema} />
      </p>
    );
  }
  return (
    <Facts
      facts={Object.entries(properties).map(([name, member]) => [
        <code>{name}</code>,
        <>
          <Type schema={member} />
          {required.includes(name) ? '.' : ', optional.'}
          {member.description === undefined ? null : (
            <>
              {' '}
              <Line text={member.description} />
            </>
          )}
          <Inside member={member} />
        </>,
      ])}
    />
  );
}

function Inside({ member }: { member: Schema }) {
  const inner = member.items ?? member;
  const nested = inner.$ref === undefined && inner.properties !== undefined;
  return nested ? <Members schema={inner} /> : null;
}
