import { Bell, DoorOpen, Flag, Share2, ShieldBan } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { PersonDetail } from '../../../protocol/product/people.ts';
import { useProductMutation } from '../../core/hooks/use-product.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { refusalText } from '../../core/product/refusal-text.ts';
import { Menu } from '../../../ui/kit/menu.tsx';
import type { Toasts } from '../../../ui/toasts/toasts.ts';
import { useUi } from '../../ui/use-ui.ts';
import { ReportSheet } from './report-sheet.tsx';

/** Watches, shares, reports and blocks a user. */
export function PersonMenu({ person, back }: { person: PersonDetail; back: string }) {
  const { toasts } = useUi();
  const navigate = useNavigate();
  const [reporting, setReporting] = useState(false);
  const name = person.nickname || person.u_id;
  const showFailure = (error: Error): void => toasts.show(refusalText(error));
  const watch = useProductMutation('notifyWhenOnline', {
    invalidates: ['person'],
    onError: showFailure,
    onSuccess: () => toasts.show(m.person_watch_done({ name })),
  });
  const askToBlock = useBlock(person, back);

  const waits =
    person.presence === 'online' || person.watched
      ? []
      : [
          {
            key: 'watch',
            text: m.person_watch(),
            icon: <Bell aria-hidden="true" size={18} />,
            onChoose: () => watch.mutate({ params: { u_id: person.u_id } }),
          },
        ];
  return (
    <>
      <Menu
        label={m.person_more()}
        items={[
          ...waits,
          {
            key: 'room',
            text: m.person_room(),
            icon: <DoorOpen aria-hidden="true" size={18} />,
            onChoose: () => void navigate(`/rooms?invite=${encodeURIComponent(person.u_id)}`),
          },
          {
            key: 'share',
            text: m.person_share(),
            icon: <Share2 aria-hidden="true" size={18} />,
            onChoose: () => void share(name, toasts),
          },
          {
            key: 'report',
            text: m.person_report(),
            icon: <Flag aria-hidden="true" size={18} />,
            onChoose: () => setReporting(true),
          },
          {
            key: 'block',
            text: m.person_block(),
            icon: <ShieldBan aria-hidden="true" size={18} />,
            isDangerous: true,
            onChoose: () => void askToBlock(),
          },
        ]}
      />
      {reporting && <ReportSheet uId={person.u_id} name={name} onClose={() => setReporting(false)} />}
    </>
  );
}

/** Returns the function that blocks a user if the user of the page agrees, and then goes back. */
function useBlock(person: PersonDetail, back: string): () => Promise<void> {
  const { dialogs, toasts } = useUi();
  const navigate = useNavigate();
  const name = person.nickname || person.u_id;
  const block = useProductMutation('block', {
    invalidates: ['discover', 'blocks', 'channels', 'favorites'],
    onError: (error) => toasts.show(refusalText(error)),
    onSuccess() {
      toasts.show(m.person_block_done({ name }));
      void navigate(back, { replace: true });
    },
  });

  return async function askToBlock(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.person_block_title({ name }),
      text: m.person_block_text(),
      confirm: m.person_block(),
      isDangerous: true,
    });
    if (agreed) block.mutate({ body: { u_id: person.u_id } });
  };
}

/** Shares the address of the page, or copies it on a device that cannot share. */
async function share(name: string, toasts: Pick<Toasts, 'show'>): Promise<void> {
  // A user who closes the share sheet causes a rejection, which is no failure.
  if (typeof navigator.share === 'function') {
    await navigator.share({ title: name, url: location.href }).catch(() => undefined);
  } else {
    await navigator.clipboard.writeText(location.href);
    toasts.show(m.person_share_copied());
  }
}
