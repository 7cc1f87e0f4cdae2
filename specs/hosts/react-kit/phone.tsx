/** The connection and the calls of the user. */
import {
  type ActiveCall,
  CallAudio,
  CallVideo,
  isLive,
  useCall,
  useCalls,
  useConnection,
  useDuration,
  useRingback,
} from 'ringback/react';

export function Phone() {
  const { state, error, retry } = useConnection();
  const { incoming, active, held } = useCalls();
  const { calls } = useRingback();
  const bob = { userId: 'bob', nickname: 'Bob', profileUrl: '' };
  return (
    <>
      <p role="status" aria-label="Connection">
        {state}
      </p>
      {state === 'failed' && (
        <p role="alert">
          {error instanceof Error ? error.message : String(error)}{' '}
          <button onClick={() => void retry()}>Try again</button>
        </p>
      )}
      {state === 'on' && active === null && <button onClick={() => calls.dial(bob, 'video')}>Call Bob</button>}
      {incoming.map(({ callId, party }) => (
        <p key={callId} role="group" aria-label={`Call of ${party.userId}`}>
          <button onClick={() => calls.accept(callId, 'hold')}>Answer</button>
          <button onClick={() => calls.decline(callId)}>Decline</button>
        </p>
      ))}
      {active !== null && <Call key={active.key} call={active} />}
      {held.map(({ key }) => (
        <HeldCall key={key} of={key} />
      ))}
    </>
  );
}

function Call({ call }: { call: ActiveCall }) {
  const { calls } = useRingback();
  const seconds = useDuration(call.stage);
  const { stage, party, kind, microphoneOn, remoteMicrophoneOn } = call;
  return (
    <section aria-label="Call">
      <h1>{party.userId}</h1>
      <p role="status" aria-label="Stage">
        {stage.name === 'ended' ? `ended: ${stage.result}` : stage.name}
      </p>
      <p role="timer">{seconds}</p>
      {!remoteMicrophoneOn && <p>{party.userId} is muted</p>}
      {!isLive(call) ? (
        <button onClick={calls.dismissSummary}>Close</button>
      ) : (
        <>
          {kind === 'video' ? (
            <>
              <CallVideo call={call.key} side="remote" aria-label="Other picture" />
              <CallVideo call={call.key} side="local" aria-label="Own picture" />
            </>
          ) : (
            <CallAudio call={call.key} />
          )}
          <button onClick={calls.toggleMicrophone}>{microphoneOn ? 'Mute' : 'Unmute'}</button>
          <button onClick={calls.end}>Hang up</button>
        </>
      )}
    </section>
  );
}

function HeldCall({ of }: { of: string }) {
  const { calls } = useRingback();
  const call = useCall(of);
  return call && <button onClick={() => void calls.switchTo(of)}>Back to {call.party.userId}</button>;
}
