/** Writes docs/errors.md from the error catalogue. */
import { CLIENT_ERRORS, SERVER_ERRORS } from '../../src/protocol/errors.ts';
import { markdownTable } from './markdown-table.ts';

type Catalogue = Readonly<Record<number, { readonly name: string; readonly message: string }>>;

/** The cause of an error in a browser, when its name and message do not state it. */
const CAUSES: Readonly<Record<number, string>> = {
  1800613: 'The recording is complete, but the page cannot download its file.',
  1800614: 'A track of the recording type is missing, or the recorder of the browser does not start.',
  1800615: 'The recorder of the browser failed during the recording. There is no file.',
  1800616: 'The browser has no `MediaRecorder`, or it records no webm, and in a Safari-type browser no mp4.',
  1800618: 'The device is an iPhone or iPad before iOS 14.3, on which no browser can record.',
  1800626: '`getDisplayMedia` failed with another error or returned no video, or the call could not send the video.',
  1800627: '`getDisplayMedia` failed with `InvalidStateError`, for example without a user gesture.',
  1800628: '`getDisplayMedia` failed with `NotAllowedError`: the user or the permissions policy of the page refused.',
  1800629: '`getDisplayMedia` failed with `NotFoundError`: there is nothing to share.',
  1800630:
    '`getDisplayMedia` failed with `NotReadableError`: the operating system refuses access to the chosen content.',
};

const causes = (): string[] => [
  '## Causes in a browser',
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
    'Made from `src/protocol/errors.ts` by `npm run docs`: change the catalogue, not this file. `{param}` in a message stands for',
    'the name of the wrong parameter.',
    '',
    ...section(
      'Raised by the library',
      'The library raises these errors without a request to the exchange, or when a request fails.',
      CLIENT_ERRORS,
    ),
    ...section(
      'Raised by the exchange',
      'The exchange answers a refused request with one of these errors.',
      SERVER_ERRORS,
    ),
    ...causes(),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
