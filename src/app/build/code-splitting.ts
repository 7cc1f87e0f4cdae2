/**
 * The rules for which shared modules are bundled into one file. By default the bundler makes one file for each set of
 * screens that share modules. A screen would then request forty files, and a phone waits for each.
 * `specs/e2e/app-weight.spec.ts` limits what a screen may request.
 */
import type { BuildEnvironmentOptions } from 'vite';

type CodeSplitting = Exclude<
  NonNullable<
    Extract<
      NonNullable<BuildEnvironmentOptions['rolldownOptions']>['output'],
      { codeSplitting?: unknown }
    >['codeSplitting']
  >,
  boolean
>;

/** The groups in order. The first group that matches a module gets it, with every module that it imports. */
export const codeSplitting: CodeSplitting = {
  groups: [
    // The code that every page loads first.
    { name: 'first', tags: ['$initial'] },
    // Screens of visitors share little code with the many screens of users, so they get files of their own.
    {
      name: 'visitors',
      test: anyOf(
        app('features/pwa/install-row'),
        icons('arrow-right|badge-check|chevron-down|clock-3|phone-off|search|search-x'),
      ),
      minShareCount: 2,
    },
    {
      name: 'accounts',
      test: anyOf(
        app('ui/forms/(?!text-area)|features/shell/on-demand|features/account/verification-codes/code-'),
        app('features/account/register/(?:page\\.module|offline-note)'),
        app('ui/people/picture\\.'),
        kit('forms/|kit/(?:field|form-failure|text-field|password-field|skeleton)\\.'),
        app('core/i18n/generated/messages/(?:retry|load_busy|register_back|field_needed)\\.'),
        icons('users-round'),
      ),
      minShareCount: 2,
    },
    {
      name: 'registration',
      test: anyOf(app('features/account/register/'), kit('kit/(?:choices|progress-steps)\\.')),
      minShareCount: 2,
    },
    { name: 'legal', test: app('routes/legal/'), minShareCount: 2 },
    // The code that most screens of users share.
    {
      name: 'signed-in',
      test: anyOf(
        /@tanstack/,
        app('core/(?:hooks|product|i18n)/|ui/(?:data|money|people)/|ui/modal\\.|(?:features|routes)/shell/'),
        kit('kit/'),
        app('features/(?:account/my-page|gifts|money/(?:points|wallet))/|features/people/[\\w.-]+$'),
        icons('[a-z0-9-]+'),
      ),
      minShareCount: 3,
    },
    // What the overlays of calls, the lobby of a room and the room itself share.
    {
      name: 'rooms',
      test: anyOf(app('features/rooms/|core/i18n/generated/messages/(?:invite|rooms?)_')),
      minShareCount: 2,
    },
    {
      name: 'call-parts',
      test: anyOf(
        app('features/calling/overlays/(?:is-typing|floating|incoming-call|call-view/(?:missing-text|parts/notices))'),
        app('features/devices/'),
        icons('ellipsis|maximize-2|mic|mic-off|monitor-up|picture-in-picture-2|video-off'),
      ),
      minShareCount: 2,
    },
    { name: 'protocol', test: /\/src\/protocol\//, minShareCount: 2 },
  ],
};

/** A file gets only the parts of the React binding that it uses, although it imports them from one index. */
export const moduleSideEffects = [{ test: /\/src\/react\//, sideEffects: false }];

function app(path: string): RegExp {
  return new RegExp(`/src/app/(?:${path})`);
}

function kit(path: string): RegExp {
  return new RegExp(`/src/ui/(?:${path})`);
}

function icons(names: string): RegExp {
  return new RegExp(`/lucide-react/dist/esm/icons/(?:${names})\\.`);
}

function anyOf(...some: readonly RegExp[]): RegExp {
  return new RegExp(some.map(({ source }) => source).join('|'));
}
