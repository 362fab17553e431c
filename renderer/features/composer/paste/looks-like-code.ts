/** Fewer lines are quoted by hand. */
const MIN_LINES = 3
/** This many of the lines have to look like code. */
const SHARE = 0.5

const SIGNS: readonly RegExp[] = [
  /[;{}]\s*$/u,
  /^\s*(?:import|export|from|const|let|var|function|class|def|return|if|else|elif|for|while|switch|case|try|catch|public|private|static|fn|struct|package|#include|SELECT|INSERT|UPDATE|FROM|WHERE)\b.*[(){}:;='",]/u,
  /^\s*(?:\/\/|\/\*|\*\/)/u,
  /^\s+\S.*[=(){}[\];]/u,
  /^\s*<\/?[a-z][^>]*>\s*$/iu,
  /^\s*[\w.$]+\s*(?:=|:=|\+=|=>)\s*\S/u,
  /^\s*"[^"]+"\s*:/u,
  /^\s*[\w.$]+\([^)]*\)\s*[;{]?\s*$/u,
  /^\s*(?:\$|>>>) \S/u,
]

/** Several lines most of which a program could have in it. Lists and quotes are not code. */
export function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < MIN_LINES || text.includes('```')) return false
  const found = lines.filter((line) => SIGNS.some((sign) => sign.test(line))).length
  return found / lines.length >= SHARE
}
