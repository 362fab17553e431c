import { useEffect, useRef } from 'react'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { shareOf, useImport } from './commands.ts'
import styles from './Imports.module.css'

/** How far the import is; a press opens its page. */
export function Chip() {
  const t = useTexts('imports')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { state } = useImport(true)
  const isOpen = useAppSelector(({ ui: { route } }) => route.view === 'manage' && route.page === 'imports')
  const progress = state?.progress
  const step = progress?.step
  const before = useRef(step)
  useEffect(() => {
    if (before.current === 'running' && step === 'done' && !isOpen) announce(t('chip.done'))
    before.current = step
  }, [isOpen, step, t])
  const text =
    progress?.step === 'running'
      ? t('chip.running', { share: formats.percent(shareOf(progress)) })
      : step === 'paused' || step === 'undoing'
        ? t(`chip.${step}`)
        : undefined
  if (text === undefined) return null
  return (
    <button
      type="button"
      className={styles['chip']}
      onClick={() => dispatch(routeOpened({ view: 'manage', page: 'imports' }))}
    >
      <Icon name="upload" size={14} />
      {text}
    </button>
  )
}
