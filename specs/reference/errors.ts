/** Writes docs/errors.md from the error catalogue. */
import { CLIENT_ERRORS, SERVER_ERRORS } from '../../src/protocol/errors.ts';
import { markdownTable } from './markdown-table.ts';

type Catalogue = Readonly<Record<number, { readonly name: string; readonly message: string }>>;

/** What happened in a browser, where name and message leave that open. */
const CAUSES: Readonly<Record<number, string>> = {
  1800613: 'The recording is complete, and the page cannot hand it over as a download.',
  1800614: 'A track that the recording type names is not there, or the browser does not start to record.',
  1800615: 'The browser gave up in the midst of the recording: there is no file.',
  1800616: 'There is no `MediaRecorder`, or it writes neither webm nor, on a Safari-type browser, mp4.',
  1800618: 'The same on an iPhone or iPad before iOS 14.3, where no browser can record.',
  1800626: '`getDisplayMedia` failed with any other error, gave no picture, or the picture could not be sent.',
  1800627: '`getDisplayMedia` failed with `InvalidStateError`: there was no gesture of the user, for instance.',
  1800628: '`getDisplayMedia` failed with `NotAllowedError`: the user or the policy of the page said no.',
  1800629: '`getDisplayMedia` failed with `NotFoundError`: there is nothing to share.',
  1800630: '`getDisplayMedia` failed with `NotReadableError`: the system keeps what was chosen to itself.',
};

const causes = (): string[] => [
  '## What some of them mean in a browser',
  '',
  ...markdownTable(['Code', 'Cause'], Object.entries(CAUSES)),
  '',
];

const section = (title: string, intro: string, catalogue: Catalogue): string[] => [
  `## ${title}`,
  '',
  intro,
  '',
  ...markdownTable(
    ['Code', 'Name', 'Default message'],
    Object.entries(catalogue).map(([code, { name, message }]) => [code, `\`${name}\``, message || '(none)']),
  ),
  '',
];

export const errorsDocument = (): string =>
  [
    '# Error codes',
    '',
    'Made from `src/protocol/errors.ts` by `npm run docs`: change the catalogue, not this file. `{param}` in a message is',
    'replaced by the name of the parameter at fault.',
    '',
    ...section('Raised by the library', 'The library finds these by itself.', CLIENT_ERRORS),
    ...section('Raised by the exchange', 'These come with a refused request.', SERVER_ERRORS),
    ...causes(),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
