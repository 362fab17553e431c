import { useRef, useState, type ChangeEvent } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useHost } from '../../../store/hooks.ts'
import { useShortcut } from '../../../store/window/shortcuts.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { EmojiPopover } from '../../emoji/index.ts'
import { Extras } from '../Extras.tsx'
import type { Place } from '../place.ts'
import { SendArea } from '../send/SendArea.tsx'
import type { ComposerModel } from '../use-composer.ts'
import { canRecord } from '../voice/recorder.ts'
import type { Voice } from '../voice/use-voice.ts'
import styles from '../Composer.module.css'

type Props = {
  readonly place: Place
  readonly channel: Channel
  readonly it: ComposerModel
  readonly voice: Voice
  readonly formatting: boolean
  /** The field is as high as the sheet allows. */
  readonly tall: boolean
  readonly onTall: () => void
  readonly statusId: string
  readonly onFormatting: () => void
  /** The preview that is open. */
  readonly previewId: string | undefined
  readonly onPreview: () => void
}

/** Attach, formatting, emoji, mention, commands, what is no text, and at the end the counter and the send button. */
export function Tools(props: Props) {
  const { place, channel, it, voice, formatting, statusId, onFormatting, previewId, onPreview, tall, onTall } = props

  const t = useTexts('composer')
  const mod = useHost().os === 'macos' ? '⌘' : 'Ctrl'
  const attachKeys = useShortcut('attach')
  const previewKeys = useShortcut('preview')
  const [picker, setPicker] = useState<Element>()
  return (
    <div className={styles['tools']}>
      <fieldset className={styles['toolset']}>
        <legend className="sr-only">{t('toolbar')}</legend>
        {it.composer.editing === undefined ? <AttachButton it={it} keys={attachKeys} /> : null}
        <IconButton
          icon="text-size"
          label={t('formatting')}
          tooltipSide="above"
          pressed={formatting}
          onClick={onFormatting}
        />
        <IconButton
          icon="eye"
          label={t('preview')}
          keys={previewKeys}
          tooltipSide="above"
          data-tool="preview"
          pressed={previewId !== undefined}
          aria-controls={previewId}
          onClick={onPreview}
        />
        <IconButton
          icon="smile"
          label={t('emoji')}
          keys={[mod, 'E']}
          tooltipSide="above"
          data-tool="emoji"
          aria-haspopup="dialog"
          aria-expanded={picker !== undefined}
          onClick={(event) => setPicker(event.currentTarget)}
        />
        <IconButton icon="at" label={t('mention')} tooltipSide="above" onClick={it.suggestions.openPeople} />
        {channel.config.commands.length === 0 ? null : (
          <IconButton
            icon="slash"
            label={t('commands.open')}
            tooltipSide="above"
            data-tool="commands"
            onClick={it.suggestions.openCommands}
          />
        )}
        {it.composer.editing === undefined ? (
          <Extras place={place} channel={channel} voice={it.takesFiles && canRecord() ? voice : undefined} />
        ) : null}
      </fieldset>
      <span className={styles['grow']} />
      {tall || isLong(it.composer.text) ? (
        <IconButton
          icon="chevrons-updown"
          label={t('largerField')}
          tooltipSide="above"
          pressed={tall}
          onClick={onTall}
        />
      ) : null}
      <SendArea it={it} statusId={statusId} />
      {picker === undefined ? null : (
        <EmojiPopover
          anchor={picker}
          onClose={() => setPicker(undefined)}
          onPick={(unicode) => {
            setPicker(undefined)
            it.insert(unicode)
          }}
        />
      )}
    </div>
  )
}

/** More than the field shows at once. */
const isLong = (text: string): boolean => text.length > 800 || text.split('\n').length > 8

function AttachButton({ it, keys }: { readonly it: ComposerModel; readonly keys: readonly string[] }) {
  const t = useTexts('composer')
  const input = useRef<HTMLInputElement>(null)
  const used = it.uploads.length
  const full = used >= MAX_FILES_PER_MESSAGE
  const barred = !it.takesFiles
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    it.addFiles([...(event.target.files ?? [])])
    // The same file can be chosen again.
    event.target.value = ''
    it.focus()
  }
  return (
    <>
      <IconButton
        icon="plus"
        label={barred ? t('noFilesHere') : full ? t('attachFull', { used, max: MAX_FILES_PER_MESSAGE }) : t('attach')}
        keys={keys}
        tooltipSide="above"
        data-tool="attach"
        aria-disabled={full || barred || undefined}
        onClick={() => !full && !barred && input.current?.click()}
      />
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
