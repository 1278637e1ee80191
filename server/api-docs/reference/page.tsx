import { MEANINGS } from '../../errors.js';
import type { Page } from '../../site/index.js';
import type { Described, Operation } from './described.js';
import { OperationEntry } from './operation.js';
import { Line, Members, Prose, schemaAnchor } from './schema.js';

type Place = { method: string; path: string; operation: Operation };

function placesOf(document: Described): Place[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
    })),
  );
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

/** `/reference`: the machine description as one page (spec/board.md §9). */
export function referencePage(document: Described): Page {
  const base = document.servers[0]?.url ?? '';
  return {
    title: 'Reference',
    canonical: `${base}/reference`,
    description: 'Every path of this board, with its parameters and answers.',
    alternates: [
      {
        type: 'application/json',
        href: '/openapi.json',
        title: 'OpenAPI description',
      },
    ],
    children: <Reference document={document} places={placesOf(document)} />,
  };
}

function Reference({
  document,
  places,
}: {
  document: Described;
  places: readonly Place[];
}) {
  const { info, tags, components } = document;
  return (
    <>
      <h1>Reference</h1>
      <p class="lead">
        Made from <a href="/openapi.json">/openapi.json</a> ({info.version},
        OpenAPI {document.openapi}) at the start of this board.
      </p>
      <div class="body">
        <Prose text={info.description} />
        <details>
          <summary>Contents</summary>
          <Contents document={document} places={places} />
        </details>
      </div>
      {tags.map(({ name, description }) => (
        <section id={anchorOf(name)} aria-labelledby={`${anchorOf(name)}-name`}>
          <h2 id={`${anchorOf(name)}-name`}>{name}</h2>
          <Prose text={description} />
          {places
            .filter(({ operation }) => operation.tags.includes(name))
            .map((place) => (
              <OperationEntry document={document} place={place} />
            ))}
        </section>
      ))}
      <Errors />
      <section id="schemas" aria-labelledby="schemas-name">
        <h2 id="schemas-name">Schemas</h2>
        {Object.entries(components.schemas).map(([name, schema]) => (
          <section class="body" id={schemaAnchor(name)} aria-label={name}>
            <h3>{name}</h3>
            {schema.description === undefined ? null : (
              <Prose text={schema.description} />
            )}
            <Members schema={schema} />
          </section>
        ))}
      </section>
    </>
  );
}

function Contents({
  document,
  places,
}: {
  document: Described;
  places: readonly Place[];
}) {
  return (
    <nav aria-label="Contents">
      <ul>
        {document.tags.map(({ name }) => (
          <li>
            <a href={`#${anchorOf(name)}`}>{name}</a>
            <ul>
              {places
                .filter(({ operation }) => operation.tags.includes(name))
                .map(({ method, path, operation }) => (
                  <li>
                    <a href={`#${operation.operationId}`}>
                      {method.toUpperCase()} {path}
                    </a>
                  </li>
                ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#errors">Errors</a>
        </li>
        <li>
          <a href="#schemas">Schemas</a>
        </li>
      </ul>
    </nav>
  );
}

function Errors() {
  return (
    <section id="errors" aria-labelledby="errors-name">
      <h2 id="errors-name">Errors</h2>
      <p>
        The closed list of <code>error</code> codes.
      </p>
      <dl class="facts">
        {Object.entries(MEANINGS).map(([code, { meaning }]) => (
          <>
            <dt>
              <code>{code}</code>
            </dt>
            <dd>
              <Line text={meaning} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}
