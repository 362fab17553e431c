import { Suspense, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectHostGone } from '../../store/window/host.ts'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { StoppedText } from './ConnectionBanner.tsx'

type Props = {
  /** Shown while the code is loading normally. */
  readonly meanwhile?: ReactNode
  /** Set for dialogs: closes the placeholder. Absent for a part of the window. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

/** `Suspense` for code loaded on demand. While main is unreachable shows that it cannot load; it opens once main is back. */
export function HostSuspense({ meanwhile = null, onClose, children }: Props) {
  return <Suspense fallback={<Meanwhile closed={onClose} usual={meanwhile} />}>{children}</Suspense>
}

function Meanwhile({ closed, usual }: { readonly closed: (() => void) | undefined; readonly usual: ReactNode }) {
  const t = useTexts('common')
  const isGone = useAppSelector(selectHostGone)
  const isShut = useAppSelector(({ host }) => host.state === 'shut')
  if (!isGone) return usual
  const text = isShut ? <StoppedText /> : t('host.opens')
  if (closed === undefined) {
    return (
      <Empty scene="chat" title={t('host.stopped')}>
        {text}
      </Empty>
    )
  }
  return (
    <Dialog title={t('host.stopped')} width={400} onClose={closed}>
      <DialogText>{text}</DialogText>
    </Dialog>
  )
}
