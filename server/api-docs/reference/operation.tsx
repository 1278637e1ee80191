import {
  type Content,
  type Described,
  type Operation,
  type Parameter,
  resolved,
} from './described.js';
import { Line, Prose, Sample, Type } from './schema.js';

type Place = { method: string; path: string; operation: Operation };

/** One method of one path: what it takes, what it answers. */
export function OperationEntry({
  document,
  place: { method, path, operation },
}: {
  document: Described;
  place: Place;
}) {
  const parameters = operation.parameters.map((one) =>
    resolved(document.components.parameters, one),
  );
  return (
    <section
      class="panel body"
      id={operation.operationId}
      aria-label={operation.summary}
    >
      <h3>
        <code>
          {method.toUpperCase()} {path}
        </code>
      </h3>
      <p>
        <strong>{operation.summary}.</strong>
      </p>
      <Prose text={operation.description} />
      <Parameters parameters={parameters} />
      {operation.requestBody === undefined ? null : (
        <>
          <h4>Body</h4>
          <Bodies content={operation.requestBody.content} />
        </>
      )}
      <h4>Answers</h4>
      <Answers document={document} operation={operation} />
      {operation['x-limits'].length === 0 ? null : (
        <p>
          Limits: <Line text={quoted(operation['x-limits'])} />.
        </p>
      )}
    </section>
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  const own = parameters.filter((one) => one.in !== 'header');
  if (own.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <dl class="facts">
        {own.map(({ name, in: where, required, description, schema }) => (
          <>
            <dt>
              <code>{name}</code> in {where}
            </dt>
            <dd>
              <Type schema={schema} />
              {required ? '. ' : ', optional. '}
              {description === undefined ? null : <Line text={description} />}
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

function Answers({
  document,
  operation,
}: {
  document: Described;
  operation: Operation;
}) {
  const answers = Object.entries(operation.responses).filter(
    ([status]) => status !== 'default',
  );
  return (
    <dl class="facts">
      {answers.map(([status, given]) => {
        const answer = resolved(document.components.responses, given);
        // An error's example would say the same at every operation.
        const shown = Number(status) < 400 ? answer.content : undefined;
        return (
          <>
            <dt>{status}</dt>
            <dd>
              <Prose text={answer.description} />
              {shown === undefined ? null : <Bodies content={shown} />}
            </dd>
          </>
        );
      })}
    </dl>
  );
}

function Bodies({ content }: { content: Content }) {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>
            <code>{type}</code>: <Type schema={schema} />
          </p>
          {example === undefined ? null : (
            <Sample name="Example" value={example} />
          )}
        </>
      ))}
    </>
  );
}
