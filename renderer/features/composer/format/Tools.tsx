import { useRef, useState, type ChangeEvent, Fragment } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { type SettledChannel, useHost, useSetting } from '../../../store/hooks.ts'
import { useChordNow } from '../../../app/keys/shortcuts.tsx'
import { useMenuOf } from '../../../ui/Menu/Menu.tsx'
import { IconButton, Button } from '../../../ui/Button/Button.tsx'
import { keysOf as keycapsOf } from '../../../lib/text/chords.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { type IconName, Icon } from '../../../ui/Icon/Icon.tsx'
import { cx } from '../../../lib/cx.ts'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { EmojiPopover } from '../../emoji/index.ts'
import { PlusMenu, ScheduleDialog, SendMenu } from '../parts.ts'
import type { Place } from '../selectors.ts'
import { useTool, type ComposerModel } from '../use-composer.ts'
import { canRecord, type Voice } from '../voice/use-voice.ts'
import { FORMAT_KEYS } from '../field/shortcuts.ts'
import { charactersLeft, type Decision } from '../send/use-send.ts'
import type { Format } from './markdown.ts'
import styles from '../Composer.module.css'

type Props = {
  readonly place: Place
  readonly channel: SettledChannel
  readonly model: ComposerModel
  readonly voice: Voice
  readonly formatting: boolean
  /** The field fills the height the sheet allows. */
  readonly tall: boolean
  readonly onTall: () => void
  readonly statusId: string
  readonly onFormatting: () => void
  /** Id of the open preview; undefined when closed. */
  readonly previewId: string | undefined
  readonly onPreview: () => void
}

/**
 * What most messages need, beside the field: plus with everything else, formatting, emoji, mention, voice; at the end the
 * counter and the send button.
 */
export function Tools(props: Props) {
  const { place, model, voice, formatting, statusId, onFormatting, tall, onTall } = props
  const t = useTexts('composer')
  const mod = useHost().os === 'macos' ? '⌘' : 'Ctrl'
  const emoji = useRef<HTMLButtonElement>(null)
  const [picker, setPicker] = useState<Element>()
  useTool(place, 'preview', props.onPreview)
  useTool(place, 'emoji', () => setPicker(emoji.current ?? undefined))
  const records = model.composer.editing === undefined && model.acceptsFiles && canRecord()
  return (
    <div className={styles['tools']}>
      <fieldset className={styles['toolset']}>
        <legend className="sr-only">{t('toolbar')}</legend>
        <PlusButton {...props} />
        <IconButton
          icon="text-size"
          label={t('formatting')}
          tooltipSide="above"
          pressed={formatting}
          onClick={onFormatting}
        />
        <IconButton
          ref={emoji}
          icon="smile"
          label={t('emoji')}
          keys={[mod, 'E']}
          tooltipSide="above"
          aria-haspopup="dialog"
          aria-expanded={picker !== undefined}
          onClick={(event) => setPicker(event.currentTarget)}
        />
        <IconButton icon="at" label={t('mention')} tooltipSide="above" onClick={model.suggestions.openPeople} />
        {records ? (
          <IconButton
            icon="mic"
            label={t('voice.record')}
            tooltipSide="above"
            aria-disabled={voice.state.kind !== 'idle' || undefined}
            onClick={() => voice.state.kind === 'idle' && voice.start()}
          />
        ) : null}
      </fieldset>
      <span className={styles['grow']} />
      {tall || isLong(model.composer.text) ? (
        <IconButton
          icon="chevrons-updown"
          label={t('largerField')}
          tooltipSide="above"
          pressed={tall}
          onClick={onTall}
        />
      ) : null}
      <SendArea place={place} model={model} statusId={statusId} />
      {picker === undefined ? null : (
        <EmojiPopover
          anchor={picker}
          onClose={() => setPicker(undefined)}
          onPick={(unicode) => {
            setPicker(undefined)
            model.insert(unicode)
          }}
        />
      )}
    </div>
  )
}

/** Longer than the field can show without scrolling. */
const isLong = (text: string): boolean => text.length > 800 || text.split('\n').length > 8

/** Files, and everything that is not needed for every message. */
function PlusButton(props: Props) {
  const { place, model } = props
  const t = useTexts('composer')
  const input = useRef<HTMLInputElement>(null)
  const full = model.uploads.length >= MAX_FILES_PER_MESSAGE
  const choose = (): void => {
    if (!full && model.acceptsFiles) input.current?.click()
  }
  useTool(place, 'attach', choose)
  const { menu, triggerProps } = useMenuOf((anchor, onClose) => (
    <PlusMenu {...props} onAttach={choose} anchor={anchor} onClose={onClose} />
  ))
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    model.addFiles([...(event.target.files ?? [])])
    // Lets the same file be chosen again.
    event.target.value = ''
    model.focus()
  }
  return (
    <>
      <IconButton icon="plus" label={t('plus.label')} tooltipSide="above" {...triggerProps} />
      {menu}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('attach')}
        data-file-field=""
        onChange={onChange}
      />
    </>
  )
}

const GROUPS: readonly (readonly { readonly format: Format; readonly icon: IconName }[])[] = [
  [
    { format: 'bold', icon: 'bold' },
    { format: 'italic', icon: 'italic' },
    { format: 'strike', icon: 'strike' },
  ],
  [
    { format: 'code', icon: 'code' },
    { format: 'codeBlock', icon: 'code-block' },
    { format: 'quote', icon: 'quote' },
  ],
  [
    { format: 'bulletList', icon: 'list' },
    { format: 'numberList', icon: 'list-ordered' },
    { format: 'link', icon: 'link' },
  ],
]
const IDS = GROUPS.flat().map(({ format }) => format)

/** Formatting buttons. One tab stop; each tooltip shows the shortcut. */
export function FormatBar({ onFormat }: { readonly onFormat: (format: Format) => void }) {
  const t = useTexts('composer')
  const host = useHost()
  const chordNow = useChordNow()
  const { containerProps, itemProps } = useRoving({ ids: IDS, orientation: 'horizontal', wrap: true })
  const { ref, ...container } = containerProps
  return (
    <div
      ref={ref as React.RefObject<HTMLDivElement | null>}
      {...container}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('formatting')}
      className={styles['format']}
    >
      {GROUPS.map((group, index) => (
        <Fragment key={group[0]?.format}>
          {index > 0 ? <span className={styles['gap']} aria-hidden="true" /> : null}
          {group.map(({ format, icon }) => (
            <IconButton
              key={format}
              {...itemProps(format)}
              icon={icon}
              size="small"
              iconSize={16}
              tooltipSide="above"
              label={t(format)}
              {...keysOf(format, host, chordNow)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onFormat(format)}
            />
          ))}
        </Fragment>
      ))}
    </div>
  )
}

/** In a browser Ctrl Shift C opens the developer tools, so the tooltip shows no shortcut there. */
function keysOf(
  format: Format,
  { kind, os }: Pick<HostInfo, 'kind' | 'os'>,
  chordNow: ReturnType<typeof useChordNow>,
): { keys?: readonly string[] } {
  if (format === 'code' && kind === 'browser') return {}
  const chord = chordNow('composer', ['Mod', ...FORMAT_KEYS[format]].join('+'))
  return chord === undefined ? {} : { keys: keycapsOf(chord, os) }
}

type SendAreaProps = { readonly place: Place; readonly model: ComposerModel; readonly statusId: string }

/** The character counter near the limit, and the send button, whose icon and name show what pressing it does. */
function SendArea({ place, model, statusId }: SendAreaProps) {
  const t = useTexts('composer')
  if (model.composer.editing !== undefined) {
    return (
      <>
        <Counter model={model} />
        <Button size="small" variant="quiet" onClick={model.leaveContext}>
          {t('cancel')}
        </Button>
        <Button
          size="small"
          variant="primary"
          aria-disabled={model.decision.kind !== 'save'}
          aria-describedby={statusId}
          onClick={() => model.send()}
        >
          {t('save')}
        </Button>
      </>
    )
  }
  return (
    <>
      <Counter model={model} />
      {model.decision.kind === 'outbox' ? <span className={styles['count']}>{t('savedToOutbox')}</span> : null}
      <SendButton place={place} model={model} statusId={statusId} />
    </>
  )
}

function Counter({ model }: { readonly model: ComposerModel }) {
  const t = useTexts('composer')
  const { number } = useFormats()
  const left = charactersLeft(model.composer.text, model.maxLength)
  if (left === undefined) return null
  if (left < 0) return <span className={cx(styles['count'], styles['over'])}>−{number(-left)}</span>
  return <span className={styles['count']}>{t('left', { count: left })}</span>
}

function SendButton({ place, model, statusId }: SendAreaProps) {
  const t = useTexts('composer')
  const button = useRef<HTMLButtonElement>(null)
  const [choosing, setChoosing] = useState(false)
  const { menu, openAt, onContextMenu, triggerProps } = useMenuOf((anchor, onClose) => (
    <SendMenu model={model} onChooseTime={() => setChoosing(true)} anchor={anchor} onClose={onClose} />
  ))
  useTool(place, 'sendMenu', () => {
    if (button.current !== null) openAt(button.current)
  })
  const enterSends = useSetting('enterSends')
  const mod = useHost().os === 'macos' ? '⌘' : 'Ctrl'
  const { decision } = model
  const waits = decision.kind === 'uploading' || decision.kind === 'slow'
  const can = decision.kind === 'ready' || decision.kind === 'outbox'
  const name =
    decision.kind === 'uploading'
      ? t('uploadsOfName', { done: decision.done, all: decision.all })
      : decision.kind === 'outbox'
        ? `${t('send')}. ${t('savedToOutbox')}`
        : t('send')
  const empty = decision.kind === 'empty'
  return (
    <span className={styles['sendGroup']}>
      <Tooltip
        text={empty ? t('nothingToSend') : t('send')}
        keys={empty ? [] : enterSends ? ['Enter'] : [mod, 'Enter']}
        side="above"
      >
        <button
          ref={button}
          type="button"
          aria-keyshortcuts="Control+Shift+Enter"
          onContextMenu={onContextMenu}
          className={cx(styles['send'], waits && styles['wait'], !can && !waits && styles['off'])}
          aria-label={name}
          aria-disabled={!can}
          aria-describedby={statusId}
          data-send={decision.kind}
          // Leaves the focus, and a touch keyboard, in the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => model.send()}
        >
          <Face decision={decision} />
        </button>
      </Tooltip>
      <Tooltip text={t('sendMenu.label')} keys={[mod, 'Shift', 'Enter']} side="above">
        <button
          type="button"
          aria-label={t('sendMenu.label')}
          className={cx(styles['sendMore'], !can && styles['off'])}
          onPointerDown={(event) => event.preventDefault()}
          {...triggerProps}
        >
          <Icon name="chevron-down" size={14} />
        </button>
      </Tooltip>
      {menu}
      {choosing ? (
        <ScheduleDialog onChoose={(sendAt) => model.send({ sendAt })} onClose={() => setChoosing(false)} />
      ) : null}
    </span>
  )
}

function Face({ decision }: { readonly decision: Decision }) {
  const t = useTexts('composer')
  switch (decision.kind) {
    case 'uploading':
      return (
        <>
          <Icon name="clock" size={15} />
          {t('uploadsOf', { done: decision.done, all: decision.all })}
        </>
      )
    case 'slow':
      return (
        <>
          <Icon name="hourglass" size={15} />
          {`${Math.floor(decision.seconds / 60)}:${String(decision.seconds % 60).padStart(2, '0')}`}
        </>
      )
    case 'outbox':
      return <Icon name="outbox" size={18} />
    case 'ready':
    case 'stopped':
    case 'save':
    case 'empty':
    case 'editEmpty':
    case 'editGone':
    case 'tooLong':
    case 'command':
    case 'uploadFailed':
      return <Icon name="arrow-up" size={18} />
  }
}
