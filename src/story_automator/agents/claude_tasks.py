"""Claude's list of tasks, followed through the calls that change it."""

from collections.abc import Iterator, Mapping

LIST_TOOL = "TodoWrite"  # says the whole list each time
TOOLS = frozenset({LIST_TOOL, "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})
DONE, REMOVED = "completed", "deleted"


class Tasks:
    """What is on the list now, and whether that was shown yet."""

    def __init__(self) -> None:
        self._listed: dict[str, tuple[str, bool]] = {}
        self.changed = False

    def shown(self) -> Iterator[tuple[str, bool]]:
        self.changed = False
        return iter(self._listed.values())

    def called(self, name: str, given: Mapping[str, object]) -> None:
        """Take in a call; a created task gets its number with the answer."""
        todos = given.get("todos")
        if name == LIST_TOOL and isinstance(todos, list):
            self._replace({"id": str(at), **todo} for at, todo in enumerate(_mappings(todos)))
        elif name == "TaskUpdate":
            self._update(given)

    def answered(self, answer: object) -> None:
        if not isinstance(answer, Mapping):
            return
        if isinstance(task := answer.get("task"), Mapping) and "id" in task:
            self._put(task)
        elif isinstance(tasks := answer.get("tasks"), list):
            self._replace(_mappings(tasks))

    def _replace(self, tasks: Iterator[Mapping[str, object]]) -> None:
        before = self._listed
        self._listed = {}
        for task in tasks:
            self._put(task)
        self.changed = self._listed != before

    def _put(self, task: Mapping[str, object]) -> None:
        name = task.get("subject") or task.get("content") or ""
        listed = str(name), task.get("status") == DONE
        self.changed = self.changed or self._listed.get(str(task.get("id"))) != listed
        self._listed[str(task.get("id"))] = listed

    def _update(self, given: Mapping[str, object]) -> None:
        number = str(given.get("taskId"))
        if number not in self._listed:
            return
        name, done = self._listed[number]
        if (status := given.get("status")) == REMOVED:
            del self._listed[number]
        else:
            done = done if status is None else status == DONE
            self._listed[number] = str(given.get("subject") or name), done
        self.changed = True


def _mappings(values: list[object]) -> Iterator[Mapping[str, object]]:
    return (value for value in values if isinstance(value, Mapping))
