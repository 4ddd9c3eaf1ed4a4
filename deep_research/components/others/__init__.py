"""Components beside the seven: the planner, the critic and the vetter."""
