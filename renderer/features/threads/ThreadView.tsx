import { useEffect, useId, useRef } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAppServices } from '../../store/hooks.ts'
import { wentBack } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { showInChannel, type ThreadPlace } from './commands.ts'
import { Replies } from './Replies.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import styles from './ThreadPanel.module.css'

/** A thread in the full view, or in a separate window. */
export function ThreadView({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const canGoBack = useAppSelector((state) => state.ui.back.length > 0)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  const place = { cid, parentId }
  // A separate window has nothing to go back to.
  const alone = useAppServices().own?.parentId === parentId
  const leave = (): void => {
    if (canGoBack) dispatch(wentBack())
    else dispatch(showInChannel(place))
  }
  return (
    <main className={styles['sheet']} aria-labelledby={id}>
      <ThreadHead
        {...place}
        id={id}
        heading={heading}
        where={alone ? 'window' : 'sheet'}
        before={alone ? undefined : <IconButton icon="arrow-left" label={t('head.backThreads')} onClick={leave} />}
        {...(alone
          ? {}
          : {
              other: {
                icon: 'panel-right' as const,
                label: t('head.beside'),
                onPress: () => dispatch(showInChannel(place)),
              },
            })}
      />
      <ConnectionBanner />
      <div className={styles['wide']} data-region="messages">
        <Replies {...place} />
      </div>
      <div className={styles['wideComposer']} data-region="composer">
        <Composer {...place} />
      </div>
    </main>
  )
}
