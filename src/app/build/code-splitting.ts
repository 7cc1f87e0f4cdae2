/**
 * Which shared code goes into one file. Left to itself, the bundler makes a file of all that the same screens share: a screen
 * would ask for forty of them, and a phone waits for each. `specs/e2e/app-weight.spec.ts` holds what a screen may ask for.
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

/** The first that takes a module has it, with all that the module needs. */
export const codeSplitting: CodeSplitting = {
  groups: [
    // What comes with the page, whatever its address.
    { name: 'first', tags: ['$initial'] },
    // Screens of visitors share little with those of users, whose parts are many: they get files of their own.
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
        app('ui/forms/|features/shell/on-demand|features/account/verification-codes/code-'),
        app('features/account/register/(?:page\\.module|offline-note)'),
        app('ui/kit/(?:field|form-failure|text-field|password-field|picture|skeleton)\\.'),
        app('core/i18n/generated/messages/(?:retry|load_busy|register_back|field_needed)\\.'),
        icons('users-round'),
      ),
      minShareCount: 2,
    },
    {
      name: 'registration',
      test: app('features/account/register/|ui/kit/(?:choices|progress-steps)\\.'),
      minShareCount: 2,
    },
    { name: 'legal', test: app('routes/legal/'), minShareCount: 2 },
    // What most screens of users are made of.
    {
      name: 'signed-in',
      test: anyOf(
        /@tanstack/,
        app('core/(?:product|i18n)/|services/use-|ui/(?:kit|data)/|(?:features|routes)/shell/'),
        app('features/(?:account/my-page|gifts|money/(?:points|wallet))/|features/people/[\\w.-]+$'),
        icons('[a-z0-9-]+'),
      ),
      minShareCount: 3,
    },
    { name: 'protocol', test: /\/src\/protocol\//, minShareCount: 2 },
  ],
};

function app(path: string): RegExp {
  return new RegExp(`/src/app/(?:${path})`);
}

function icons(names: string): RegExp {
  return new RegExp(`/lucide-react/dist/esm/icons/(?:${names})\\.`);
}

function anyOf(...some: readonly RegExp[]): RegExp {
  return new RegExp(some.map(({ source }) => source).join('|'));
}
