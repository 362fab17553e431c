import { useRef, useState, type ChangeEvent, Fragment } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { useTexts } from '../../../i18n/index.ts'
import { type SettledChannel, useHost } from '../../../store/hooks.ts'
import { useChordNow } from '../../../store/window/shortcuts.ts'
import { useMenuOf } from '../../../ui/Menu/Menu.tsx'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { keysOf as keycapsOf } from '../../../lib/text/chords.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import type { IconName } from '../../../ui/Icon/Icon.tsx'
import { EmojiPopover } from '../../emoji/index.ts'
import { PlusMenu } from '../parts.ts'
import type { Place } from '../selectors.ts'
import { SendArea } from '../send/SendArea.tsx'
import { useTool, type ComposerModel } from '../use-composer.ts'
import { canRecord, type Voice } from '../voice/use-voice.ts'
import { FORMAT_KEYS } from '../field/shortcuts.ts'
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
