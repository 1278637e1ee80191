/** How far this process knows what others have committed. */
export type Hearing = {
  /** All that was committed until then is known, as `performance.now()`. */
  readonly heardAt: number;
  /** Asks for a later `heardAt`; at most one question is under way. */
  ask(): void;
};

type Speaker = { query(text: string): Promise<unknown> };

/**
 * Notifications come in the order of their commits. So when one that this
 * process sends to itself has come back, those of all that was committed
 * before it was sent have come too. A connection that is lost, or a pooler that
 * hands no notifications on, gives none back, and nothing more is known.
 */
export class Echo implements Hearing {
  readonly channel: string;
  heardAt = Number.NEGATIVE_INFINITY;
  /** Somebody asked while there was nobody to ask. */
  isMissed = false;
  private speaker: Speaker | null = null;
  private askedAt: number | null = null;

  constructor(instance: string) {
    this.channel = `board_echo_${instance}`;
  }

  ask(): void {
    this.isMissed = this.speaker === null;
    if (this.speaker === null || this.askedAt !== null) return;
    this.askedAt = performance.now();
    // Without an answer its connection ends, and another one is asked.
    this.speaker.query(`NOTIFY ${this.channel}`).catch(() => {});
  }

  came(): void {
    this.heardAt = this.askedAt ?? this.heardAt;
    this.askedAt = null;
  }

  /** Another connection listens from now on, or none. */
  by(speaker: Speaker | null): void {
    this.speaker = speaker;
    this.askedAt = null;
  }
}
