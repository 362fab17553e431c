import { useId, useRef, useState } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useSetting } from '../../store/hooks.ts'
import { AskDialog } from './send/AskDialog.tsx'
import { CommandBar } from './suggestions/CommandBar.tsx'
import { keepFormatting } from './send/commands.ts'
import { ConflictBar } from './drafts/ConflictBar.tsx'
import { ContextBar } from './ContextBar.tsx'
import { DropTarget } from './files/DropTarget.tsx'
import { EditFiles } from './files/EditFiles.tsx'
import { Field } from './field/Field.tsx'
import { FormatBar } from './format/FormatBar.tsx'
import { Previews } from './previews/Previews.tsx'
import { Preview } from './previews/Preview.tsx'
import { StatusLine } from './StatusLine.tsx'
import { SuggestionList } from './suggestions/SuggestionList.tsx'
import { Tools } from './format/Tools.tsx'
import { Tray } from './files/Tray.tsx'
import { useComposer } from './use-composer.ts'
import { useVoice } from './voice/use-voice.ts'
import { VoiceBar } from './voice/VoiceBar.tsx'
import type { Place } from './place.ts'
import styles from './Composer.module.css'

/** The frame: suggestions over it, then context, formatting, text, files and tools. */
export function OpenComposer({ place, channel }: { readonly place: Place; readonly channel: Channel }) {
  const t = useTexts('composer')
  const root = useRef<HTMLElement>(null)
  const dispatch = useAppDispatch()
  const formatting = useSetting('formattingBar')
  const [previewing, setPreviewing] = useState(false)
  const [tall, setTall] = useState(false)
  const ids = { list: useId(), status: useId(), preview: useId() }
  const { it, field } = useComposer(place, channel, root)
  const voice = useVoice(place, it)
  return (
    <section
      ref={root}
      className={cx(styles['wrap'], place.parentId !== undefined && styles['thread'])}
      aria-label={t('region')}
    >
      <div className={cx(styles['composer'], it.held !== undefined && styles['dropping'])}>
        <SuggestionList id={ids.list} cid={place.cid} suggestions={it.suggestions} />
        <ConflictBar place={place} editing={it.composer.editing !== undefined} />
        <ContextBar place={place} composer={it.composer} onLeave={it.leaveContext} />
        <CommandBar it={it} />
        {formatting ? <FormatBar onFormat={it.format} /> : null}
        {previewing ? (
          <Preview id={ids.preview} text={it.composer.text} people={it.suggestions.people} channel={channel} />
        ) : null}
        <Field
          tall={tall}
          it={it}
          field={field}
          channel={channel}
          place={place}
          listId={ids.list}
          statusId={ids.status}
        />
        <EditFiles place={place} composer={it.composer} />
        <Tray place={place} uploads={it.uploads} onRemove={it.removeFile} onRetry={it.retryFile} />
        <VoiceBar voice={voice} />
        <Previews place={place} channel={channel} it={it} />
        <Tools
          place={place}
          channel={channel}
          it={it}
          voice={voice}
          formatting={formatting}
          previewId={previewing ? ids.preview : undefined}
          onPreview={() => setPreviewing((open) => !open)}
          tall={tall}
          onTall={() => {
            setTall((is) => !is)
            it.focus()
          }}
          onFormatting={() => void dispatch(keepFormatting({ formattingBar: !formatting }))}
          statusId={ids.status}
        />
        {it.held === undefined ? null : <DropTarget channel={channel} count={it.held} />}
      </div>
      {it.asking === undefined ? null : <AskDialog cid={place.cid} {...it.asking} />}
      <StatusLine id={ids.status} it={it} place={place} channel={channel} />
      <output className="sr-only">
        {it.suggestions.items.length > 0 ? t('suggestions', { count: it.suggestions.items.length }) : ''}
      </output>
    </section>
  )
}
