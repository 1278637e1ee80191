import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const COMPILED = import.meta.url.endsWith('.js');

type Reply = { id: number; answer?: unknown; error?: string };

export class Child {
  private asked = 0;

  private constructor(private readonly process: ChildProcess) {}

  /** `name`: a file of lab/bench/processes. */
  static start(name: string): Child {
    const file = `../processes/${name}.${COMPILED ? 'js' : 'ts'}`;
    const execArgv = COMPILED ? [] : ['--import', '@oxc-node/core/register'];
    return new Child(
      fork(fileURLToPath(new URL(file, import.meta.url)), [], {
        execArgv: [...execArgv, '--expose-gc'],
        serialization: 'advanced',
      }),
    );
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  ask<A>(question: unknown): Promise<A> {
    const id = ++this.asked;
    return new Promise<A>((resolve, reject) => {
      const onReply = (reply: Reply) => {
        if (reply.id !== id) return;
        leave();
        if (reply.error === undefined) resolve(reply.answer as A);
        else reject(new Error(reply.error));
      };
      const onExit = (code: number | null) => {
        leave();
        reject(new Error(`a process of the bench ended: ${code}`));
      };
      const leave = () => {
        this.process.off('message', onReply).off('exit', onExit);
      };
      this.process.on('message', onReply).on('exit', onExit);
      this.process.send({ id, question });
    });
  }

  /** Ends it; it closes what it holds before. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) {
      return;
    }
    const ended = once(this.process, 'exit');
    if (this.process.connected) this.process.disconnect();
    await ended;
  }
}
