import type { DocumentKind, DocumentStep, RejectionReason } from '../../../src/protocol/product/verification.ts';
import { STEPS_OF } from '../../../src/protocol/product/verification.ts';

/** What a reviewer decides on. */
export interface Submission {
  readonly uId: string;
  readonly documentKind: DocumentKind;
  /** What she wrote to the reviewer. */
  readonly note: string;
}

export interface Fault {
  readonly step: DocumentStep;
  readonly reason: RejectionReason;
}

/** Decides whether a woman is who she says. */
export interface Reviewer {
  /** How long a review takes, milliseconds. */
  readonly takesMs: number;
  /** What is wrong, picture by picture; nothing where she is approved. */
  decide(submission: Submission): readonly Fault[];
}

const REASONS: Readonly<Record<DocumentStep, RejectionReason>> = {
  front: 'unreadable',
  back: 'expired_document',
  selfie: 'no_match',
};

/**
 * Approves everybody after a minute, but for those whose note says which picture to reject: `reject front`, `reject back`,
 * `reject selfie`, or several of them.
 */
export const simulatedReviewer: Reviewer = {
  takesMs: 60_000,
  decide: ({ documentKind, note }) =>
    STEPS_OF[documentKind]
      .filter((step) => new RegExp(`\\breject ${step}\\b`, 'i').test(note))
      .map((step) => ({ step, reason: REASONS[step] })),
};
