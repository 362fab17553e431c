import { useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import type { PollFormOption } from '#shared/domain/poll.ts'
import type { PollProblem } from '#shared/rules/polls/poll-form.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cx } from '../../../lib/cx.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useMenu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import type { PollFormModel } from './use-poll-form.ts'
import styles from './PollDialog.module.css'

/** The options. Alt with an arrow key or the drag handle moves one; a pasted list becomes one option per line. */
export function OptionList({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  const list = useRef<HTMLUListElement>(null)
  const wanted = useRef<number>(undefined)
  const focus = (id: number | undefined): void => {
    wanted.current = id
    fieldOf(list.current, id)?.focus()
  }
  useLayoutEffect(() => {
    // A row moved in the document loses the focus.
    const field = fieldOf(list.current, wanted.current)
    wanted.current = undefined
    field?.focus()
  })
  const { options } = it.form
  return (
    <div className={styles['field']} role="group" aria-label={t('form.options')}>
      <div className={styles['label']}>
        <span>{t('form.options')}</span>
        <span className={styles['count']}>{t('form.optionsOf', { count: it.written, max: MAX_POLL_OPTIONS })}</span>
      </div>
      <ul ref={list} className={styles['options']}>
        {options.map((option, index) => (
          <OptionRow
            key={option.id}
            it={it}
            option={option}
            index={index}
            problem={it.problems.options.get(option.id)}
            onWant={(id) => {
              wanted.current = id
            }}
            onFocus={focus}
          />
        ))}
      </ul>
      {it.leftOut > 0 ? (
        <p className={styles['warning']} role="alert">
          {t('form.leftOut', { count: it.leftOut, max: MAX_POLL_OPTIONS })}
        </p>
      ) : null}
      <p className={styles['hint']}>{t('form.optionsHint')}</p>
    </div>
  )
}

const fieldOf = (list: Element | null, id: number | undefined): HTMLInputElement | null | undefined =>
  id === undefined ? undefined : list?.querySelector<HTMLInputElement>(`[data-option="${id}"]`)

type RowProps = {
  readonly it: PollFormModel
  readonly option: PollFormOption
  readonly index: number
  readonly problem: PollProblem | undefined
  /** Focuses this option after the next render. */
  readonly onWant: (id: number) => void
  readonly onFocus: (id: number | undefined) => void
}

function OptionRow({ it, option, index, problem, onWant, onFocus }: RowProps) {
  const t = useTexts('polls')
  const { options } = it.form
  const number = index + 1
  const isNew = index === options.length - 1 && option.text.trim() === ''
  const errorId = `poll-option-${option.id}-error`
  const move = (to: number): void => {
    if (to < 0 || to >= it.written || to === index) return
    it.move(option.id, to)
    announce(t('form.moved', { number: to + 1, count: it.written }))
  }
  const remove = (): void => {
    onFocus((options[index + 1] ?? options[index - 1])?.id)
    it.remove(option.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      if (!event.altKey) return onFocus(options[index + step]?.id)
      if (isNew) return
      onWant(option.id)
      move(index + step)
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !isNew) {
      event.preventDefault()
      onFocus(options[index + 1]?.id)
    } else if (event.key === 'Backspace' && option.text === '' && options.length > 1) {
      event.preventDefault()
      onFocus((options[index - 1] ?? options[index + 1])?.id)
      if (!isNew) it.remove(option.id)
    }
  }
  return (
    <li className={styles['option']}>
      {isNew ? <span className={styles['grip']} /> : <Grip index={index} count={it.written} onMove={move} />}
      <div className={styles['optionField']}>
        <input
          data-option={option.id}
          className={cx(
            styles['input'],
            problem !== undefined && styles['wrong'],
            it.problems.repeated.has(option.id) && styles['repeated'],
          )}
          value={option.text}
          maxLength={500}
          autoComplete="off"
          placeholder={isNew ? t('form.addOption') : t('form.option', { number })}
          aria-label={isNew ? t('form.addOption') : t('form.option', { number })}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : errorId}
          aria-keyshortcuts={isNew ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
          onChange={(event) => it.write(option.id, event.target.value)}
          onBlur={() => (isNew ? undefined : it.leave(option.id))}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (it.paste(option.id, event.clipboardData.getData('text/plain'))) event.preventDefault()
          }}
        />
        {problem === undefined ? null : (
          <p id={errorId} className={styles['error']} role="alert">
            <Icon name="alert-circle" size={14} />
            {t(`form.problems.${problem}`)}
          </p>
        )}
      </div>
      {isNew ? (
        <span className={styles['noRemove']} />
      ) : (
        <IconButton icon="x" size="small" label={t('form.removeOption', { number })} onClick={remove} />
      )}
    </li>
  )
}

type GripProps = { readonly index: number; readonly count: number; readonly onMove: (to: number) => void }

/**
 * Drag handle; a press without dragging offers a step up or down. By keyboard, Alt and the arrow keys in the field do the
 * same.
 */
function Grip({ index, count, onMove }: GripProps) {
  const t = useTexts('polls')
  const held = useRef(false)
  const moved = useRef(false)
  const menu = useMenu({
    label: t('form.moveOption', { number: index + 1 }),
    items: () => [...(index === 0 ? [] : [stepItem('up', -1)]), ...(index === count - 1 ? [] : [stepItem('down', 1)])],
  })
  const stepItem = (id: 'up' | 'down', by: 1 | -1): MenuItem => ({
    id,
    label: t(`form.step.${id}`),
    icon: id === 'up' ? 'arrow-up' : 'arrow-down',
    onSelect: () => onMove(index + by),
  })
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const rows = [...(event.currentTarget.closest('ul')?.children ?? [])]
    if (!held.current) return
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return event.clientY >= top && event.clientY < bottom
    })
    if (to < 0 || to === index) return
    moved.current = true
    onMove(to)
  }
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        {...menu.triggerProps}
        aria-label={t('form.moveOption', { number: index + 1 })}
        data-grip={index}
        onClick={(event) => {
          if (!moved.current && count > 1) menu.triggerProps.onClick(event)
        }}
        className={styles['grip']}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          held.current = true
          moved.current = false
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          held.current = false
        }}
        onPointerCancel={() => {
          held.current = false
        }}
      >
        <Icon name="grip" size={16} />
      </button>
      {menu.menu}
    </>
  )
}
