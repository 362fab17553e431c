import { useCallback, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { tabStops } from '../../lib/page/focus.ts'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner } from '../connection/index.ts'
import styles from './Manage.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  /** One fact beside the title, such as how many are waiting. */
  readonly fact?: string
  /** In a single column: goes back to the list of pages. */
  readonly onBack?: () => void
  /** At the end of the head: a switch of views, one action. */
  readonly actions?: ReactNode
  /** Pills that narrow a list. */
  readonly filters?: ReactNode
  /** What follows from the main column, at its end; absent where the window is too narrow for it. */
  readonly aside?: ReactNode
  /** Details of the open row. They cover the list where both do not fit. */
  readonly panel?: ReactNode
  /** Escape in the list or in the panel. */
  readonly onClosePanel?: () => void
  /** A decision about what is shown. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page of administration: head, filters, list, foot, and what stands beside them. */
export function Page({
  icon,
  title,
  fact,
  onBack,
  actions,
  filters,
  aside,
  panel,
  onClosePanel,
  foot,
  children,
}: Props) {
  const common = useTexts('common')
  const breakpoint = useBreakpoint()
  const covers = panel !== undefined && (breakpoint === 'small' || breakpoint === 'narrow')
  const beside = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The list is gone from under the focus.
    const { current } = beside
    if (covers && current !== null && !current.contains(document.activeElement)) tabStops(current)[0]?.focus()
  }, [covers])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || panel === undefined || onClosePanel === undefined) return
    // Escape would leave administration.
    event.stopPropagation()
    onClosePanel()
  }
  return (
    <View
      icon={icon}
      title={title}
      subtitle={fact}
      back={onBack && { label: common('back'), onPress: onBack }}
      actions={actions}
      banner={
        <>
          <ConnectionBanner />
          {filters === undefined || covers ? null : <div className={styles['filters']}>{filters}</div>}
        </>
      }
    >
      <div role="presentation" className={styles['columns']} onKeyDown={onKeyDown}>
        {covers ? null : (
          <div className={styles['main']}>
            <div className={styles['list']}>{children}</div>
            {foot === undefined ? null : <footer className={styles['foot']}>{foot}</footer>}
          </div>
        )}
        {panel === undefined ? null : (
          <div ref={beside} className={styles['panel']}>
            {panel}
          </div>
        )}
        {aside === undefined || breakpoint !== 'wide' ? null : <div className={styles['aside']}>{aside}</div>}
      </div>
    </View>
  )
}

/** Closes the panel; the focus goes back to the row that it was about. */
export function useReturnToRow(openId: string | undefined, setOpenId: (id: undefined) => void): () => void {
  const leaving = useRef<string>(undefined)
  useEffect(() => {
    const { current: id } = leaving
    leaving.current = undefined
    if (id === undefined || openId !== undefined) return
    document.querySelector<HTMLElement>(`[data-roving-id="${CSS.escape(id)}"]`)?.focus()
  }, [openId])
  return useCallback(() => {
    leaving.current = openId
    setOpenId(undefined)
  }, [openId, setOpenId])
}
