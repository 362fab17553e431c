import { expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Draft } from '#shared/domain/draft.ts'
import {
  accepted,
  caretMoved,
  composersReducer,
  draftOf,
  draftFound,
  draftSaved,
  draftSaving,
  editBegun,
  editLeft,
  editOf,
  EMPTY_COMPOSER,
  filesAdded,
  quoteChosen,
  quoteDropped,
  returned,
  submitted,
  takenBack,
  typed,
  type ComposersState,
} from './composers.ts'
import { EMPTY_COMPOSITION } from '#shared/rules/composer/composer.ts'
import type { UnknownAction } from '@reduxjs/toolkit'

const key = 'messaging:general'
const quoted = asMessageId('m-quoted')
const run = (...actions: UnknownAction[]): ComposersState => actions.reduce(composersReducer, {} as ComposersState)

const aDraft = (text: string): Draft => ({
  key,
  cid: asCid(key),
  text,
  uploads: [],
  caret: 2,
  showInChannel: false,
  updatedAt: 1,
  quotedId: quoted,
})

test('a saved draft is shown with its caret and quote', () => {
  expect(run(draftFound({ key, draft: aDraft('half a'), revision: 1 }))[key]).toMatchObject({
    text: 'half a',
    caret: 2,
    quotedId: quoted,
  })
})

test('a draft that arrives late does not replace typed text', () => {
  expect(
    run(typed({ key, text: 'mine', caret: 4 }), draftFound({ key, draft: aDraft('old'), revision: 1 }))[key]?.text,
  ).toBe('mine')
})

test('leaving an edit restores the parked text, quote and files', () => {
  const after = run(
    typed({ key, text: 'half a thought', caret: 4 }),
    quoteChosen({ key, messageId: quoted }),
    filesAdded({ key, ids: ['u1'] }),
    editBegun({ key, messageId: asMessageId('m1'), text: 'old words' }),
    typed({ key, text: 'new words', caret: 9 }),
    editLeft({ key }),
  )[key]
  expect(after).toMatchObject({ text: 'half a thought', caret: 4, quotedId: quoted, uploadIds: ['u1'] })
  expect(after?.editing).toBeUndefined()
})

test('an edit stored in a draft is restored in the field, and leaving it restores the parked text', () => {
  const edit = { messageId: asMessageId('m1'), text: 'new words', original: 'old words' }
  const found = run(draftFound({ key, draft: { ...aDraft('waiting'), edit }, revision: 1 }))
  expect(found[key]).toMatchObject({ text: 'new words', editing: { messageId: 'm1', original: 'old words' } })
  expect(draftOf(found[key] ?? EMPTY_COMPOSER).text).toBe('waiting')
  expect(editOf(found[key] ?? EMPTY_COMPOSER)).toEqual(edit)
  const after = composersReducer(found, editLeft({ key }))[key] ?? EMPTY_COMPOSER
  expect(after.text).toBe('waiting')
  expect(after.quotedId).toEqual(quoted)
  expect(editOf(after)).toBeUndefined()
})

test('editing a second message while editing a first keeps the parked text', () => {
  const after = run(
    typed({ key, text: 'waiting', caret: 7 }),
    editBegun({ key, messageId: asMessageId('m1'), text: 'one' }),
    editBegun({ key, messageId: asMessageId('m2'), text: 'two' }),
    editLeft({ key }),
  )[key]
  expect(after?.text).toBe('waiting')
})

test('a refused message is put back before the text typed meanwhile, with the error', () => {
  const after = run(
    typed({ key, text: 'first', caret: 5 }),
    submitted({ key, id: 's1' }),
    typed({ key, text: 'second', caret: 6 }),
    returned({ key, id: 's1', failure: { code: 'disk/full' } }),
  )[key]
  expect(after).toMatchObject({ text: 'first\n\nsecond', failure: { code: 'disk/full' } })
})

test('the error is cleared when the user types', () => {
  const after = run(
    typed({ key, text: 'first', caret: 5 }),
    submitted({ key, id: 's1' }),
    returned({ key, id: 's1', failure: { code: 'disk/full' } }),
    typed({ key, text: 'first!', caret: 6 }),
  )[key]
  expect(after?.failure).toBeUndefined()
})

test('a message withdrawn from the outbox never replaces what is being written', () => {
  const after = run(
    typed({ key, text: 'new', caret: 3 }),
    takenBack({ key, composition: { ...EMPTY_COMPOSITION, text: 'unsent' } }),
  )[key]
  expect(after).toMatchObject({ text: 'unsent\n\nnew', focusRequest: 1 })
})

test('a message withdrawn is shown once, even if the engine’s draft arrived first', () => {
  const after = run(
    draftFound({ key, draft: aDraft('unsent\n\nhalf a'), revision: 1 }),
    takenBack({ key, composition: { ...EMPTY_COMPOSITION, text: 'unsent' } }),
  )[key]
  expect(after).toMatchObject({ text: 'unsent\n\nhalf a', focusRequest: 1 })
})

test('Enter moves no caret in the text that it has sent', () => {
  const written = run(typed({ key, text: 'On my way', caret: 9 }))
  const sent = composersReducer(written, submitted({ key, id: 'm1' }))
  expect(composersReducer(sent, caretMoved({ key, caret: 9 }))).toBe(sent)
  expect(composersReducer(written, caretMoved({ key, caret: 3 }))[key]?.caret).toBe(3)
})

test('dropping the quote keeps the text', () => {
  const after = run(
    typed({ key, text: 'hm', caret: 2 }),
    quoteChosen({ key, messageId: quoted }),
    quoteDropped({ key }),
  )[key]
  expect(after?.text).toBe('hm')
  expect(after?.quotedId).toBeUndefined()
})

test('the draft includes messages in flight until the engine has accepted them', () => {
  const before = run(
    typed({ key, text: 'first', caret: 5 }),
    submitted({ key, id: 's1' }),
    typed({ key, text: 'se', caret: 2 }),
  )
  const after = composersReducer(before, accepted({ key, id: 's1' }))
  expect(before[key] && draftOf(before[key]).text).toBe('first\n\nse')
  expect(after[key] && draftOf(after[key]).text).toBe('se')
})

test('during an edit the draft is the parked text, not the edited message', () => {
  const state = run(
    typed({ key, text: 'waiting', caret: 7 }),
    editBegun({ key, messageId: asMessageId('m1'), text: 'published words' }),
  )[key]
  expect(state && draftOf(state).text).toBe('waiting')
})

/** Text that is on disk as revision 1. */
const saved = (text: string) => [typed({ key, text, caret: 0 }), draftSaving({ key }), draftSaved({ key, revision: 1 })]

test('a draft that was cleared in another window is cleared here too', () => {
  expect(run(...saved('hello'), draftFound({ key, revision: 2 }))[key]).toMatchObject({ text: '', uploadIds: [] })
})

test('text typed here since stays when the draft is cleared in another window', () => {
  const typedOn = typed({ key, text: 'hello you', caret: 9 })
  expect(run(...saved('hello'), typedOn, draftFound({ key, revision: 2 }))[key]?.text).toBe('hello you')
})

test('late events about this window’s own saves do not remove text typed after them', () => {
  const after = run(
    ...saved('hello'),
    typed({ key, text: 'hello y', caret: 7 }),
    draftSaving({ key }),
    draftFound({ key, revision: 1, draft: aDraft('hello') }),
    draftFound({ key, revision: 2 }),
    draftSaved({ key, revision: 3 }),
    draftFound({ key, revision: 2 }),
  )[key]
  expect(after).toMatchObject({ text: 'hello y', revision: 3, saving: 0 })
})

test('an edit that was saved in another window ends here, and the parked text is restored', () => {
  const edit = { messageId: asMessageId('m1'), text: 'new words', original: 'old words' }
  const after = run(
    draftFound({ key, draft: { ...aDraft('waiting'), edit }, revision: 1 }),
    draftFound({ key, draft: aDraft('waiting'), revision: 2 }),
  )[key]
  expect(after).toMatchObject({ text: 'waiting', quotedId: quoted })
  expect(after?.editing).toBeUndefined()
})

test('files and the quote of a draft are removed with it', () => {
  const after = run(
    typed({ key, text: 'see', caret: 3 }),
    quoteChosen({ key, messageId: quoted }),
    filesAdded({ key, ids: ['u1'] }),
    draftSaving({ key }),
    draftSaved({ key, revision: 1 }),
    draftFound({ key, revision: 2 }),
  )[key]
  expect(after).toMatchObject({ text: '', uploadIds: [] })
  expect(after?.quotedId).toBeUndefined()
})

test('text that could not be saved counts as changed here', () => {
  const after = run(typed({ key, text: 'hello', caret: 5 }), draftSaving({ key }), draftSaved({ key }))
  expect(composersReducer(after, draftFound({ key, revision: 2 }))[key]?.text).toBe('hello')
})
