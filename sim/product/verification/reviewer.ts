import type { DocumentKind, DocumentStep, RejectionReason } from '../../../src/protocol/product/verification.ts';
import { STEPS_OF } from '../../../src/protocol/product/verification.ts';

/** The submission that a reviewer decides on. */
export interface Submission {
  readonly uId: string;
  readonly documentKind: DocumentKind;
  /** The note of the user to the reviewer. */
  readonly note: string;
}

export interface Fault {
  readonly step: DocumentStep;
  readonly reason: RejectionReason;
}

/** A port for the decision whether a woman is who she claims to be. */
export interface Reviewer {
  /** The duration of a review. Milliseconds. */
  readonly takesMs: number;
  /** Lists the faults picture by picture. Empty to approve. */
  decide(submission: Submission): readonly Fault[];
}

const REASONS: Readonly<Record<DocumentStep, RejectionReason>> = {
  front: 'unreadable',
  back: 'expired_document',
  selfie: 'no_match',
};

/**
 * A simulated reviewer. It approves after a minute, except when the note names pictures to reject: `reject front`,
 * `reject back`, `reject selfie`, or several of them.
 */
export const simulatedReviewer: Reviewer = {
  takesMs: 60_000,
  decide: ({ documentKind, note }) =>
    STEPS_OF[documentKind]
      .filter((step) => new RegExp(`\\breject ${step}\\b`, 'i').test(note))
      .map((step) => ({ step, reason: REASONS[step] })),
};
