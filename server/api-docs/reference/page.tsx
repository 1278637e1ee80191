import { MEANINGS } from '../../errors.js';
import { Facts, Line, type Page } from '../../site/index.js';
import type { Described } from './described.js';
import { OperationEntry, type Place } from './operation.js';
import { Members, Prose, schemaAnchor } from './schema.js';

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
    alternates: [['json', '/openapi.json', 'OpenAPI description']],
    children: <Reference document={document} />,
  };
}

/** A tag with its operations. */
type Group = { name: string; description: string; places: readonly Place[] };

function groupsOf(document: Described): Group[] {
  const places = placesOf(document);
  return document.tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

function Reference({ document }: { document: Described }) {
  const { info, components } = document;
  const groups = groupsOf(document);
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
          <Contents groups={groups} />
        </details>
      </div>
      {groups.map(({ name, description, places }) => (
        <section id={anchorOf(name)} aria-labelledby={`${anchorOf(name)}-name`}>
          <h2 id={`${anchorOf(name)}-name`}>{name}</h2>
          <Prose text={description} />
          {places.map((place) => (
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

function Contents({ groups }: { groups: readonly Group[] }) {
  return (
    <nav aria-label="Contents">
      <ul>
        {groups.map(({ name, places }) => (
          <li>
            <a href={`#${anchorOf(name)}`}>{name}</a>
            <ul>
              {places.map(({ method, path, operation }) => (
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
      <Facts
        facts={Object.entries(MEANINGS).map(([code, { meaning }]) => [
          <code>{code}</code>,
          <Line text={meaning} />,
        ])}
      />
    </section>
  );
}
