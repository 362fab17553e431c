import { useId, useRef, useState } from 'react'
import type { SharedInvitation, SharingState } from '#shared/domain/sharing.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { IconName } from '../../../ui/Icon/icon-names.ts'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { revokeInvitation, startSharing, stopSharing } from './commands.ts'
import { NewInvitation } from './NewInvitation.tsx'
import { SharedNow } from './SharedNow.tsx'
import { useSharing, type Sharing } from './use-sharing.ts'
import styles from './Sharing.module.css'

type Step = 'main' | 'new' | 'stop' | { readonly revoke: SharedInvitation }

/** Share on this network: off with three sentences, or on with the invitation, who waits, and every other invitation. */
export function ShareDialog() {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const isAllowed = useHost().managed?.values.AllowLanExposure !== false
  const sharing = useSharing(isAllowed)
  const [step, setStep] = useState<Step>('main')
  const [selected, setSelected] = useState<string>()
  const close = (): void => void dispatch(dialogClosed())
  const { state, error } = sharing
  if (!isAllowed || !state) {
    const text = isAllowed ? undefined : errorText({ code: 'policy/sharing' })
    const problem = text ?? (error && errorText(error))
    return (
      <Dialog
        width={480}
        title={t('share.title')}
        onClose={close}
        actions={<Button onClick={close}>{common('close')}</Button>}
      >
        {problem === undefined ? <Spinner size={18} /> : <Line icon="lock">{problem}</Line>}
      </Dialog>
    )
  }
  if (!state.wanted || !state.on) return <StartDialog sharing={sharing} state={state} onClose={close} />
  const back = (): void => setStep('main')
  if (step === 'new') {
    return <NewInvitation sharing={sharing} onClose={back} onMade={(id) => (setSelected(id), back())} />
  }
  if (typeof step === 'object') return <RevokeDialog sharing={sharing} invitation={step.revoke} onClose={back} />
  if (step === 'stop') return <StopDialog sharing={sharing} state={state} onClose={back} />
  return (
    <SharedNow
      sharing={sharing}
      state={state}
      selected={selected}
      onSelect={setSelected}
      onNew={() => setStep('new')}
      onRevoke={(invitation) => setStep({ revoke: invitation })}
      onStop={() => setStep('stop')}
      onClose={close}
    />
  )
}

function Line({ icon, children }: { readonly icon: IconName; readonly children: string }) {
  return (
    <p className={styles['line']}>
      <Icon name={icon} size={18} />
      {children}
    </p>
  )
}

type Part = { readonly sharing: Sharing; readonly state: SharingState; readonly onClose: () => void }

/** Off, or wanted but not possible now. */
function StartDialog({ sharing, state, onClose }: Part) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const approveId = useId()
  const [approve, setApprove] = useState(state.approve)
  const { working, error } = sharing
  const start = (port?: number): void =>
    void sharing.run(startSharing({ approve, port, invitation: t('share.firstName') }))
  return (
    <Dialog
      width={480}
      title={t('share.title')}
      onClose={onClose}
      onSubmit={() => start()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          {state.wanted ? (
            <Button onClick={() => void sharing.run(stopSharing(undefined))}>{t('share.stop')}</Button>
          ) : null}
          <Button type="submit" variant="primary" working={working} ref={focusOnce}>
            {t(state.wanted ? 'share.again' : 'share.start')}
          </Button>
        </>
      }
    >
      <div className={styles['off']}>
        <Line icon="users">{t('share.who')}</Line>
        <Line icon="lock">{t('share.safe')}</Line>
        <Line icon="laptop">{t('share.while')}</Line>
        <div className={styles['approve']}>
          <span>
            <span id={approveId} className={styles['strong']}>
              {t('share.approve')}
            </span>
            <span className={styles['more']}>{t('share.approveHint')}</span>
          </span>
          <Switch labelledBy={approveId} on={approve} onChange={setApprove} />
        </div>
        {state.problem === undefined ? null : (
          <div className={styles['problem']} role="alert">
            <Icon name="alert-circle" size={16} />
            <span>
              <span className={styles['strong']}>
                {t(`share.problem.${state.problem}.title`, { port: String(state.port) })}
              </span>
              <span className={styles['more']}>{t(`share.problem.${state.problem}.text`)}</span>
            </span>
            {state.problem === 'port-taken' || state.problem === 'port-forbidden' ? (
              <Button size="small" onClick={() => start(state.port + 1)}>
                {t('share.usePort', { port: String(state.port + 1) })}
              </Button>
            ) : null}
          </div>
        )}
        <Refusal text={error && errorText(error)} />
      </div>
    </Dialog>
  )
}

function StopDialog({ sharing, state, onClose }: Part) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const cancel = useRef<HTMLButtonElement>(null)
  const stop = async (): Promise<void> => {
    const done = await sharing.run(stopSharing(undefined))
    if (!done.ok) return
    announce(t('share.stopped'))
    onClose()
  }
  return (
    <Dialog
      alert
      width={480}
      title={t('share.stopTitle')}
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" working={sharing.working} onClick={() => void stop()}>
            {t('share.stop')}
          </Button>
        </>
      }
    >
      <DialogText>
        {state.connected.length === 0 ? t('share.stopNobody') : t('share.stopText', { count: state.connected.length })}
      </DialogText>
      <Refusal text={sharing.error && errorText(sharing.error)} />
    </Dialog>
  )
}

type RevokeProps = {
  readonly sharing: Sharing
  readonly invitation: SharedInvitation
  readonly onClose: () => void
}

/** It cannot be undone: the link may have been passed on already. */
function RevokeDialog({ sharing, invitation: { id, name }, onClose }: RevokeProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const cancel = useRef<HTMLButtonElement>(null)
  const revoke = async (): Promise<void> => {
    const done = await sharing.run(revokeInvitation({ id }))
    if (!done.ok) return
    announce(t('share.revoked'))
    onClose()
  }
  return (
    <Dialog
      alert
      width={480}
      title={t('share.revokeTitle', { name })}
      onClose={onClose}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="danger" working={sharing.working} onClick={() => void revoke()}>
            {t('share.revokeNow')}
          </Button>
        </>
      }
    >
      <DialogText>{t('share.revokeText')}</DialogText>
      <Refusal text={sharing.error && errorText(sharing.error)} />
    </Dialog>
  )
}
