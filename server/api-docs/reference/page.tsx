import { MEANINGS } from '../../errors.js';
import { Facts, Line, type Page } from '../../site/index.js';
import { partName } from '../description-part.js';
import type { Described } from './described.js';
import { OperationEntry, type Place, RequestLine } from './operation.js';
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

const ABOUT = 'Every path of this board, with its parameters and answers.';

/** All operations, linked to their groups' pages (spec/board.md §9). */
export function referenceIndex(document: Described): Page {
  const { info, openapi, servers } = document;
  return {
    title: 'Reference',
    canonical: `${servers[0]?.url ?? ''}/reference`,
    description: ABOUT,
    alternates: [['json', '/openapi.json', 'OpenAPI description']],
    children: (
      <>
        <h1>Reference</h1>
        <p class="lead">
          Made from <a href="/openapi.json">/openapi.json</a> ({info.version},
          OpenAPI {openapi}) at the start of this board. Each group has a page
          here and a description of its own.
        </p>
        <div class="body">
          <Prose text={info.description} />
        </div>
        {groupsOf(document).map(({ name, description, places }) => (
          <section class="panel body" aria-labelledby={partName(name)}>
            <h2 id={partName(name)}>
              <a href={`/reference/${partName(name)}`}>{name}</a>
            </h2>
            <Prose text={description} />
            <ul>
              {places.map(({ method, path, operation }) => (
                <li id={operation.operationId}>
                  <a
                    href={`/reference/${partName(name)}#${operation.operationId}`}
                  >
                    <RequestLine method={method} path={path} />
                  </a>{' '}
                  {operation.summary}
                  {operation.deprecated ? ' (deprecated)' : null}
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Errors />
      </>
    ),
  };
}

type Group = { name: string; description: string; places: readonly Place[] };

function groupsOf(document: Described): Group[] {
  const places = placesOf(document);
  return document.tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

export function referencePart(document: Described, name: string): Page {
  const { info, components, servers } = document;
  const groups = groupsOf(document);
  const json = `/openapi/${name}.json`;
  return {
    title: `Reference: ${groups[0]?.name ?? name}`,
    canonical: `${servers[0]?.url ?? ''}/reference/${name}`,
    description: groups[0]?.description ?? ABOUT,
    alternates: [['json', json, 'OpenAPI description']],
    children: (
      <>
        <h1>Reference: {groups[0]?.name}</h1>
        <p class="lead">
          Made from <a href={json}>{json}</a> ({info.version}). All groups:{' '}
          <a href="/reference">reference</a>.
        </p>
        {groups.map(({ description, places }) => (
          <>
            <div class="body">
              <Prose text={description} />
              <nav aria-label="Contents">
                <ul>
                  {places.map(({ method, path, operation }) => (
                    <li>
                      <a href={`#${operation.operationId}`}>
                        <RequestLine method={method} path={path} />
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
            </div>
            <h2>Operations</h2>
            {places.map((place) => (
              <OperationEntry document={document} place={place} />
            ))}
          </>
        ))}
        <section id="schemas" aria-labelledby="schemas-name">
          <h2 id="schemas-name">Schemas</h2>
          {Object.entries(components.schemas).map(([schemaName, schema]) => (
            <section
              class="body"
              id={schemaAnchor(schemaName)}
              aria-label={schemaName}
            >
              <h3>{schemaName}</h3>
              {schema.description === undefined ? null : (
                <Prose text={schema.description} />
              )}
              <Members schema={schema} />
            </section>
          ))}
        </section>
      </>
    ),
  };
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
