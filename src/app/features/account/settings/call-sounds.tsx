import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Slider, Switch } from '../../../../ui/kit/choices.tsx';
import { usePreferences } from '../../../core/hooks/areas.ts';
import { useConnection } from '../../../../react/index.ts';
import { useCalling } from '../../calling/use-calling.ts';
import { useStore } from '../../../../ui/store/use-store.ts';

/** Sets the volume of the ringtone and of the ringback tone on this device. */
export function CallSounds() {
  const { calling } = useCalling();
  const { sound } = usePreferences();
  const { percent, isMuted } = useStore(sound.choice);
  const canRing = useConnection().state === 'on';
  return (
    <section aria-labelledby="settings-sounds">
      <h2 id="settings-sounds">{m.settings_sounds()}</h2>
      <Slider
        label={m.settings_volume()}
        min={10}
        max={100}
        step={10}
        value={percent}
        text={isMuted ? m.settings_volume_muted() : m.settings_volume_percent({ percent })}
        onChange={sound.setPercent}
      />
      <Switch label={m.settings_mute()} hint={m.settings_mute_hint()} checked={isMuted} onChange={sound.setMuted} />
      <Button disabled={isMuted || !canRing} onClick={calling.tryRingtone}>
        {m.settings_try_ringtone()}
      </Button>
    </section>
  );
}
