import { useEffect, useRef, type ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { panelClosed, panelOpened } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import styles from './Channel.module.css'

type Props = {
  readonly title: string
  readonly sub?: string
  readonly id: string
  readonly children?: ReactNode
  /** Back to the parent page. */
  readonly back?: { readonly label: string; readonly onClick: () => void }
}

/** Heading of a side panel with back and close buttons. Takes focus when opened by keyboard. */
export function PanelHead({ title, sub, id, back, children }: Props) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const isNarrow = useBreakpoint() === 'narrow'
  const close = (): void => void dispatch(panelClosed())
  // In one column a panel covers the whole window, so it is left with Back.
  const lead = back ?? (isNarrow ? { label: t('back'), onClick: close } : undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.matches(':focus-visible') === true) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={styles['panelHead']} data-back={lead === undefined ? undefined : ''}>
      {lead === undefined ? null : <IconButton icon="arrow-left" label={lead.label} onClick={lead.onClick} />}
      <h2 ref={heading} id={id} tabIndex={-1} className={styles['panelTitle']}>
        {title}
      </h2>
      {sub === undefined ? (
        <span className={styles['noTopic']} />
      ) : (
        <span className={`${styles['panelSub']} ellipsis`}>{sub}</span>
      )}
      <div className={styles['actions']}>
        {children}
        {isNarrow && back === undefined ? null : <IconButton icon="x" label={t('close')} onClick={close} />}
      </div>
    </header>
  )
}

/** Back button of a details page. */
export function useBackToDetails(cid: Cid): { readonly label: string; readonly onClick: () => void } {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  return { label: t('back'), onClick: () => dispatch(panelOpened({ kind: 'info', cid })) }
}
