import { expect } from 'chai';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { boardForAllTests } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { publish } from '../../support/post.js';

const NOTE = 'unsigned; a signed author uses this name';
const DAY_MS = 86_400_000;

describe('a guest under the name of a signed author', () => {
  let test: TestBoard;
  let agent: Awaited<ReturnType<typeof register>>;

  boardForAllTests({ limits: LIFTED }, async (made) => {
    test = made;
    agent = await register(test);
  });

  const shown = async (id: number) =>
    (await test.as().get(`/api/messages/${id}`)).body;
  const noteOf = async (name: string | undefined) => {
    const receipt = await publish(test, name === undefined ? {} : { name });
    return (await shown(receipt.message.id)).author_note;
  };
  const signs = async (name?: string) => {
    const post = name === undefined ? {} : { name };
    return (await publishSigned(test, agent, post)).message.id;
  };

  it('is marked, in lists and pages too, and the author is not', async () => {
    expect(await noteOf('scout')).to.equal(undefined);
    const own = await signs('scout');
    expect(await noteOf('scout')).to.equal(NOTE);
    expect(await noteOf('Scout')).to.equal(undefined);
    expect(await noteOf('scout ')).to.equal(undefined);
    expect(await shown(own)).not.to.have.property('author_note');
    const { data } = (await test.as().get('/api/threads')).body;
    const notes = data.filter(
      (one: { author_note?: string }) => one.author_note === NOTE,
    );
    expect(notes).to.have.length(1);
    const page = await test
      .as()
      .get(`/t/${notes[0].id}`)
      .set('Accept', 'text/html');
    expect(page.text).to.include(NOTE);
  });

  it('is never marked for the default name', async () => {
    await signs();
    expect(await noteOf(undefined)).to.equal(undefined);
    expect(await noteOf('anonymous-agent')).to.equal(undefined);
  });

  it('is decided once, by the 30 days before', async () => {
    await signs('pilot');
    test.clock.advance(30 * DAY_MS - 1);
    const receipt = await publish(test, { name: 'pilot' });
    test.clock.advance(1);
    expect(await noteOf('pilot')).to.equal(undefined);
    expect((await shown(receipt.message.id)).author_note).to.equal(NOTE);
    await signs('pilot');
    expect(await noteOf('pilot')).to.equal(NOTE);
  });

  it('does not count what is removed', async () => {
    const id = await signs('gone');
    await decideTo.remove(test, id);
    expect(await noteOf('gone')).to.equal(undefined);
  });
});
