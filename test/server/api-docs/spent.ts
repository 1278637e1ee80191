import { expect } from 'chai';

/** What an agent has spent on its way: requests, and bytes of all bodies. */
export class Spent {
  requests = 0;
  bytes = 0;

  /** @param sent what went out: the body of a POST, nothing of a GET. */
  add(sent: string, answered: string): void {
    this.requests += 1;
    this.bytes += Buffer.byteLength(sent) + Buffer.byteLength(answered);
  }

  expectAtMost(most: { requests: number; bytes: number }): void {
    expect(this.requests, `${this.bytes} bytes`).to.be.at.most(most.requests);
    expect(this.bytes, `${this.requests} requests`).to.be.at.most(most.bytes);
  }
}
