import { useState } from 'react'
import type { WaitingPerson } from '#shared/domain/sharing.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost, useSession } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Toast, ToastActions } from '../../../ui/Toast/Toast.tsx'
import { decideRequest, useSharing } from './commands.ts'

/** Those who ask to join, with both answers, while the sharing dialog is closed. */
export function KnockToasts() {
  const { workspace } = useSession()
  const isAllowed = useHost().managed?.values.AllowLanExposure !== false
  const isOpen = useAppSelector((state) => state.ui.dialog?.kind === 'share')
  const sharing = useSharing(workspace?.kind === 'local' && !workspace.demo && isAllowed)
  /** Closed by hand: the chip in the title strip still says that somebody waits. */
  const [put, setPut] = useState<ReadonlySet<string>>(new Set())
  const waiting = (sharing.state?.waiting ?? []).filter(({ id }) => !put.has(id))
  const [first] = waiting
  if (first === undefined || isOpen) return null
  const close = (): void => setPut(new Set([...put, ...waiting.map(({ id }) => id)]))
  return waiting.length === 1 ? (
    <One key={first.id} person={first} sharing={sharing} onClose={close} />
  ) : (
    <Several people={waiting} onClose={close} />
  )
}

type OneProps = {
  readonly person: WaitingPerson
  readonly sharing: ReturnType<typeof useSharing>
  readonly onClose: () => void
}

function One({ person: { id, name, invitation, address, role, at, nameTaken }, sharing, onClose }: OneProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const formats = useFormats()
  const decide = (accept: boolean): void => void sharing.run(decideRequest({ id, accept }))
  const title = t('share.asks', { name })
  const from = t('share.from', { invitation, role: t(`share.roles.${role}`), address, time: formats.time(at) })
  return (
    <Toast
      icon="user-plus"
      tone="info"
      title={title}
      announcement={{ id, text: title }}
      dismissLabel={common('close')}
      onDismiss={onClose}
    >
      <div>{sharing.error ? errorText(sharing.error) : nameTaken ? t('share.sameName') : from}</div>
      <ToastActions>
        <button type="button" aria-label={t('share.acceptWho', { name })} onClick={() => decide(true)}>
          {t('share.accept')}
        </button>
        <button type="button" aria-label={t('share.declineWho', { name })} onClick={() => decide(false)}>
          {t('share.decline')}
        </button>
      </ToastActions>
    </Toast>
  )
}

type SeveralProps = { readonly people: readonly WaitingPerson[]; readonly onClose: () => void }

function Several({ people, onClose }: SeveralProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const title = t('share.waiting', { count: people.length })
  return (
    <Toast
      icon="user-plus"
      tone="info"
      title={title}
      announcement={{ id: people.map(({ id }) => id).join(' '), text: title }}
      dismissLabel={common('close')}
      onDismiss={onClose}
    >
      <div>{formats.list(people.map(({ name }) => name))}</div>
      <ToastActions>
        <button type="button" onClick={() => dispatch(dialogOpened({ kind: 'share' }))}>
          {t('share.review')}
        </button>
      </ToastActions>
    </Toast>
  )
}
