"""The words in which an agent says how far it got. A sentence is what they are looked for in."""

import re

from story_automator.rules.forms import Form

# What turns a claim into something else: a condition, a wish, a report of another's words.
DOUBT = Form(
    "not|never|cannot|until|once|unless|if|when|before|after|would|should|will|almost|nearly|"
    "part|mostly|half|todo|pending|without|to be|in order|expected|supposed|must|need|yet|"
    "however|except|claim|says|asks|return|respond|verdict|report|n't|n’t",
    r"\b(?:not|never|cannot|until|once|unless|if|when|before|after|would|should|will|almost|nearly"
    r"|partially|partly|mostly|half|todo|pending|without|to be|in order to|expected to|supposed to"
    r"|must|needs?|needed|yet|however|except|claims?|says|asks|return|respond|verdict|report"
    r"|definition of done)\b",
    r"n[’']t\b",
)
SUBJECT = (
    r"\b(?:story|tasks?|implementation|work|review|retrospective|retro|workflow|session|epic"
    r"|steps?"
    r"|feature|run|tests?|automation|create-story|dev-story|code-review|criteria|acs)\b"
)
DONE = (
    r"\b(?:complete|completed|done|finished|implemented|written|created|saved|fulfilled|satisfied"
    r"|met|closed|passed|ready[- ]for[- ](?:code |the )?(?:review|dev\w*|qa))\b"
)
COMPLETE = Form(
    "complete|done|finished|implemented|written|created|saved|fulfilled|satisfied|met|closed|"
    "passed|ready|ticked|checked|[x]|successfully|wrote|added|reviewed|no |wait|tested|"
    "approved",
    rf"{SUBJECT}.{{0,60}}?{DONE}",
    r"^(?:done|finished|completed?|all done)\b[.! ]*$",
    r"\ball (?:\w+ )?(?:tasks|steps|subtasks|acceptance criteria|acs)\b.{0,30}\b(?:complete\w*"
    r"|done"
    r"|finished|met|ticked|checked|satisfied|implemented|\[x\])",
    r"\bsuccessfully (?:implemented|completed|created|added|wrote|finished|generated|reviewed)\b",
    r"\b(?:implemented|completed|finished|wrote|written|added|reviewed) (?:the |this )?"
    r"(?:story|retrospective|all|\d+ (?:new )?tests)\b",
    r"\bno (?:further|more|remaining|open) (?:gaps|issues|findings)\b",
    r"\bready for (?:code )?review\b",
    r"\bwaits? for (?:its |the )?(?:code )?review\b",
    r"\bis (?:now )?(?:implemented|tested|done|complete)\b",
    r"^approved\b|\bapproved[.,;!]?$",
)
DID_NOT = (
    r"\b(?:i|we) (?:could ?n[o’']t|could not|can ?not|can[’']t|was unable to|were unable to"
    r"|was(?:n[’']t| not) able to|am (?:not |un)able to|did ?n[’']t|did not|have not|haven[’']t)"
)
UNDONE = Form(
    "not|n't|n’t|can|unable|stop|gave up|give up|ran out|incomplete|unfinished|blocked|"
    "progress|undone|open|partially|still|halt|abort|changes requested|no story|nothing|"
    "remaining",
    rf"{DID_NOT}(?: \w+)? (?:finish|complete|fix|get|make|run|install|create|write|resolve"
    r"|implement|verify|test|commit|push|reach|start|save|work|access|connect|do|go|continue"
    r"|proceed)\w*",
    r"\b(?:i|we) (?:had to stop|gave up|stopped|ran out|am stopping|give up)\b",
    r"\b(?:story|implementation|tasks?|work|file|step|review|retrospective|document)\b.{0,40}"
    r"\b(?:is|are|was|were|has|have|remains?)(?: still)? (?:not\b|incomplete|unfinished|blocked"
    r"|in progress|undone|open\b|partially)",
    r"\bnot (?:yet )?(?:complete|done|finished|implemented|written|created|started|saved)\b",
    r"\b(?:incomplete|unfinished|left undone)\b",
    r"\bstill (?:failing|fails?|red|broken|open|missing|to do|to be done)\b",
    r"^(?:halt|aborted|aborting)\b|\bchanges requested\b",
    r"\bno story (?:file )?(?:was|has been|is) (?:written|created)",
    r"\bnothing (?:was|has been) (?:written|created|changed|saved)\b",
    r"\b(?:remaining|open|unfinished) (?:tasks?|work|steps?): *(?!0|none|no\b)\S",
)
# What was so and is no more, or never was.
OVERCOME = Form(
    "at first|initially|originally|previously|earlier|before|used to|no longer|now pass|"
    "fixed|resolved|reproduced|bug where|so that|instead|out of scope|by design|because",
    r"\b(?:at first|initially|originally|previously|earlier|before|used to|no longer|now pass"
    r"|(?<!not )(?<!not yet )(?:fixed|resolved)|reproduced|bug where|so that|instead|out of scope"
    r"|by design|because the story)\b",
)
# The last sentence says what comes next.
ANNOUNCES = Form(
    "let|i'll|i’ll|i will|going to|running|starting|continuing|now|next",
    r"^(?:now |next,? |then |first,? |okay,? |ok,? |great[,.!]? |good[,.!]? )*"
    r"(?:let me|let[’']s|i[’']ll|i will|i am going to|i[’']m going to|running|starting"
    r"|continuing)\b",
    r"^now i \w+",
    r"^(?:now|next)(?: to)?,? the [\w -]{1,30}[.:…]*$",
)

KIND_OF_TEST = r"(?:unit |e2e |new |existing |integration |other |end-to-end )?"
RED = Form(
    "fail|red|broken",
    rf"\b(?P<failed>[1-9]\d*)(?: of (?:the )?\d+)? {KIND_OF_TEST}(?:tests?|specs?)"
    r"(?: (?:are|is|still|do))*? (?:fail\w*|red|broken)\b",
    r"\b(?:tests?|specs?|suite)(?: \w+)? (?:are|is|still)(?: still)? (?:failing|red|broken)\b",
    r"\b(?:tests?|suite) (?:still )?fails?\b",
    r"\b(?P<some>[1-9]\d*) fail(?:ed|ing|ures?)\b",
)
GREEN = Form(
    "pass|green|succeed|ok",
    r"\b(?:all|the)?\s*(?P<passed>\d+)? ?(?:\w+ )?(?:tests?|specs?|suite|test suite)(?: \w+)?"
    r"(?: now| are| is| all|:)* (?:pass(?:es|ed|ing)?|green|succeed\w*|ok)\b",
    r"\b(?:everything|all) (?:is |are )?(?:now )?(?:green|passes|passing)\b",
)
PART = Form("pass", r"\b(?P<passed>\d+)\s*(?:/|of)\s*(?P<total>\d+)\s+(?:\w+ )?(?:tests? )?pass")
# Of a build, a linter or a type checker.
FAILS = Form(
    "fail|red|broken|does|stops|error",
    r"\b(?:build|lint\w*|type ?-?check\w*|compil\w+|tsc|mypy|eslint|crate|npm run \w+|cargo \w+)"
    r"(?: \w+)? (?:still )?(?:fails?|failed|is (?:red|broken|failing)|does not|stops|errors)\b",
    r"\bdoes(?: not|n[’']t) (?:compile|build|type-?check)\b",
    r"\bcompile errors?\b",
)

QUESTION = re.compile(r"[?؟](?=[\s\"'”’)*_`]|$)|？")
# A question is still open when only the request to answer it follows.
STILL_OPEN = Form(
    "?|？|؟",
    r"[?？؟][\s\"'”’)*_`]*(?:(?:please|let me know|tell me|reply|answer|choose|pick|say|i[’']ll"
    r"|i will"
    r"|once|waiting|awaiting|until|without)\b[^!?]*)?$",
)
ASKS = Form(
    "choose|select|enter|pick|type|reply|please|let me know|wait|need|blocked",
    r"^(?:please )?(?:choose|select|enter|pick|type|reply with)\b",
    r"\bplease (?:confirm|choose|advise|decide|clarify|select|tell me|let me know|provide"
    r"|specify)",
    r"\blet me know (?:how|which|whether|what)\b",
    r"\blet me know if you(?:[’']d| would)? (?:want|like|prefer) (?:me|the|to)\b",
    r"\b(?:waiting|awaiting|waits?) (?:for|on)? ?(?:your|user|human|a (?:human|person|decision))",
    r"\b(?:i|we) need (?:your|a|one|some)\b.{0,20}(?:decision|input|answer|approval|confirmation"
    r"|guidance|clarification)",
    r"\bneeds (?:a|your) (?:product |human )?decision",
    r"\bblocked (?:on|by|until) (?:a|an|the|your)\b.{0,40}(?:decision|answer|approval"
    r"|clarification)",
)
# Told without a question: somebody else has to act.
NEEDS_SOMEBODY = Form(
    "has to|have to|must|need|should|until",
    r"\b(?:some(?:one|body)|a (?:person|human|maintainer|developer)|you|the (?:owner|team|user)) "
    r"(?:has to|have to|must|needs? to|should)\b",
    r"\buntil (?:some(?:one|body)|you|a (?:person|human))\b",
)
