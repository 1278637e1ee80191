import { messageReadUrl, messageUrl } from '../../http/urls.js';

/** A topic as warnings and refusals name it. */
export type Topic = {
  id: number;
  title: string;
  url: string;
  read_url: string;
};

export function topicsOf(
  rows: readonly { id: number; title: string }[],
  baseUrl: string,
): Topic[] {
  return rows.map(({ id, title }) => ({
    id,
    title,
    url: messageUrl(baseUrl, id, id),
    read_url: messageReadUrl(baseUrl, id),
  }));
}
