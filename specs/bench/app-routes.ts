/** The routes of the app that benches open, and who opens each. */
export interface Journey {
  /** Somebody of the demo world; null for a visitor. */
  readonly who: string | null;
  /** The least that Lighthouse may find of performance there. */
  readonly performance: number;
  readonly paths: readonly string[];
}

export const JOURNEYS: readonly Journey[] = [
  { who: null, performance: 95, paths: ['/'] },
  // A visitor's address leads to the landing (SES-03): what is for anyone is opened by somebody who is signed in.
  { who: 'bob', performance: 95, paths: ['/privacy', '/service', '/login', '/register-man', '/register-woman'] },
  {
    who: 'bob',
    performance: 90,
    paths: [
      '/home-man',
      '/woman-info/alice',
      '/man-info',
      '/purchase/deposit',
      '/deposit-record',
      '/transactions-record/all',
      '/transactions-chat-record',
      '/man-chat-list',
      '/account-verification',
      '/settings',
    ],
  },
  {
    who: 'alice',
    performance: 90,
    paths: [
      '/home-woman',
      '/woman-edit',
      '/chat-list',
      '/current-points',
      '/income-details',
      '/redemption-records',
      '/identity-verification',
    ],
  },
];
