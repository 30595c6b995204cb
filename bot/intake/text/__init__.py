"""What chat, terminals and log collectors do to text, undone; secrets taken out; each line's place kept."""
