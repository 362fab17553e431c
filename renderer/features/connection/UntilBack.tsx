import { Suspense, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectHostGone } from '../../store/window/host.ts'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { StoppedWords } from './ConnectionBanner.tsx'

type Props = {
  /** While its code is on its way and nothing is wrong. */
  readonly meanwhile?: ReactNode
  /** It lies over the window, and can be closed. Without it, it is a part of the window. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

/** What loads when it is opened cannot load while the program is gone: says so, and opens once it is back. */
export function UntilBack({ meanwhile = null, onClose, children }: Props) {
  return <Suspense fallback={<Meanwhile closed={onClose} usual={meanwhile} />}>{children}</Suspense>
}

function Meanwhile({ closed, usual }: { readonly closed: (() => void) | undefined; readonly usual: ReactNode }) {
  const t = useTexts('common')
  const isGone = useAppSelector(selectHostGone)
  const isShut = useAppSelector(({ host }) => host.state === 'shut')
  if (!isGone) return usual
  const words = isShut ? <StoppedWords /> : t('host.opens')
  if (closed === undefined) {
    return (
      <Empty scene="chat" title={t('host.stopped')}>
        {words}
      </Empty>
    )
  }
  return (
    <Dialog title={t('host.stopped')} width={400} onClose={closed}>
      <DialogText>{words}</DialogText>
    </Dialog>
  )
}
